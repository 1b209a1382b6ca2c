"""Tests of the website's contests."""
