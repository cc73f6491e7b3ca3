# Reads a tree as csv: at most 1 % of the steps' time is draws, or a batch's outside its phase.
{ gsub(/"/, "") }
$2 == "step" { step = $3 }
$2 == "draw" { draw = $3 }
$2 == "batch" { batch = $4 }
$2 == "work" { work = $3 }
END {
  print "draw", draw / step, "batch", batch / step
  exit !(work > 0.05 && draw < 0.01 * step && batch < 0.01 * step)
}
