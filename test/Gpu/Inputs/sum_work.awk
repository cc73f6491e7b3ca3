# Of what dump-gpu.py prints: the work of each phase, its number and milliseconds, of warm-up steps
# and others together; and how many counters are not 0.
$1 == "work" { phase[$4] = $2; count[$4] += $8; ms[$4] += $12 }
$1 == "counters" { print NF - 1, $1 }
END { for (kernel in count) print phase[kernel], kernel, count[kernel], ms[kernel] }
