"""The games: rules, notation, protocol, scene and bots of each. No input, output or clock."""
