// Both sides over each other: the mean step along the runs, and the steps by
// duration. SVGs, which fit the screen and the paper alike. The side before is
// dashed, so that no colour is needed to tell it.

const bothSides = ['before', 'after'];
const overlaidSize = {least: 320, most: 1200, height: 220, left: 64, right: 14, top: 34, bottom: 28};

// The axes of a drawing WIDTH wide: horizontal lines up to TOP, whose texts VALUE
// gives, and texts below at [x, text].
function overlaidFrame(width, label, top, value, below) {
  const {height, left, right, top: edge, bottom} = overlaidSize;
  const svg = makeSvg('svg', {viewBox: '0 0 ' + width + ' ' + height, class: 'curve overlaid', role: 'img', 'aria-label': label});
  const y = amount => height - bottom - amount / top * (height - edge - bottom);
  for (let part = 0; part <= 4; ++part)
    svg.append(makeSvg('line', {class: 'grid', x1: left, x2: width - right, y1: y(top * part / 4), y2: y(top * part / 4)}),
               makeSvg('text', {x: left - 6, y: y(top * part / 4) + 4, 'text-anchor': 'end'}, value(top * part / 4)));
  below.forEach(([x, text], index) => svg.append(makeSvg('text', {
    x, y: height - 8, 'text-anchor': index === 0 ? 'start' : index === below.length - 1 ? 'end' : 'middle'}, text)));
  return {svg, y};
}

// A box that DRAW(width) fills, anew when its width changes.
function overlaidBox(draw) {
  const box = make('div', 'curve-box overlaid-box');
  let width = 0;
  box.fit = anew => {
    const next = Math.max(overlaidSize.least, Math.min(overlaidSize.most, box.clientWidth || 900));
    if (next === width && !anew)
      return;
    width = next;
    box.replaceChildren(draw(width));
  };
  box.fit();
  fitting.observe(box);
  return box;
}

// What the lines are, each with TEXT(side).
function sidesLegend(text) {
  return make('p', 'small-parts', null, ...bothSides.map(side => {
    const sample = makeSvg('svg', {viewBox: '0 0 26 8', class: 'sample', 'aria-hidden': 'true'});
    sample.append(makeSvg('line', {class: side + '-line', x1: 0, x2: 26, y1: 4, y2: 4}));
    return make('span', 'small-part', null, sample, ' ' + side + ': ' + text(side));
  }));
}

// Each value from one x to the next; null is a gap.
function stepPath(values, x, y) {
  let path = '', open = false;
  values.forEach((value, index) => {
    if (value !== null)
      path += (open ? 'L' : 'M') + x(index).toFixed(1) + ' ' + y(value).toFixed(1) + 'H' + x(index + 1).toFixed(1);
    open = value !== null;
  });
  return path;
}

function curvesView(comparison) {
  const {curves, step} = comparison;
  if (!curves)
    return null;
  let by = 'share';
  const rangeText = side => {
    const known = curves[side][by].mean.filter(value => value !== null);
    return duration(Math.min(...known)) + ' to ' + duration(Math.max(...known));
  };
  const box = overlaidBox(width => {
    const {left, right} = overlaidSize;
    const top = roundUp(Math.max(...bothSides.flatMap(side => curves[side][by].mean)));
    const at = part => left + part * (width - left - right);
    const below = [0, 0.25, 0.5, 0.75, 1].map(part => [at(part), by === 'share' ? 100 * part + '%' : grouped(Math.round(part * curves.steps))]);
    const {svg, y} = overlaidFrame(width, 'Mean step by ' + (by === 'share' ? 'share of the run' : 'step') + ': ' +
        bothSides.map(side => side + ' ' + rangeText(side)).join(', '), top, duration, below);
    for (const side of bothSides)
      svg.append(makeSvg('path', {class: 'line ' + side + '-line', d: stepPath(curves[side][by].mean, index => at(index / curves.bins), y)}));
    return svg;
  });
  const legend = make('div', '', null, sidesLegend(rangeText));
  const choose = makeSwitch('Axis', [['share', 'By share of the run'], ['step', 'By step']], by, value => {
    by = value;
    choose.show(value);
    box.fit(true);
    legend.replaceChildren(sidesLegend(rangeText));
  });
  return makeSection('curves', 'Mean step along the run', make('div', 'tools', null, choose), box, legend,
      make('p', 'note', curves.bins + ' bins on each side' + (curves.processes > 1 ? ', of ' + curves.processes + ' runs or processes together' : '') +
          ', of all steps of ' + (step.training ? 'training' : 'validation') + ', with those of the warm-up. Bins with fewer than 5 steps share a mean with their neighbours.'));
}

// Where a duration is on an axis on which all buckets are equally wide.
function bucketPlace(edges, ns) {
  const bucket = Math.max(0, Math.min(edges.length - 2, edges.findLastIndex(edge => edge <= ns)));
  return bucket + Math.max(0, Math.min(1, (ns - edges[bucket]) / (edges[bucket + 1] - edges[bucket])));
}

function spreadView(comparison) {
  const {spread} = comparison;
  if (!spread)
    return null;
  const {edges} = spread, buckets = edges.length - 1;
  const quantiles = side => 'p50 ' + duration(spread[side].p50) + ', p95 ' + duration(spread[side].p95);
  const box = overlaidBox(width => {
    const {left, right, height, top, bottom} = overlaidSize;
    const x = bucket => left + (bucket + 0.5) / (buckets + 1) * (width - left - right);
    const every = Math.max(1, Math.ceil(buckets / Math.max(2, Math.floor(width / 110))));
    const below = [];
    for (let bucket = 0; bucket < buckets - every / 2; bucket += every)
      below.push([x(bucket), duration(edges[bucket])]);
    below.push([x(buckets), duration(edges[buckets])]);
    const most = roundUp(Math.max(...bothSides.flatMap(side => spread[side].percent)));
    const {svg, y} = overlaidFrame(width, 'Steps by duration: ' + bothSides.map(
        side => grouped(spread[side].steps) + ' steps ' + side + ', ' + quantiles(side)).join('; '), most, value => value ? percent(value) : '0%', below);
    const quantileRoom = 75; // for the name of one
    bothSides.forEach((side, row) => {
      svg.append(makeSvg('path', {class: 'line ' + side + '-line', d: 'M' + x(0) + ' ' + y(0) + spread[side].percent.map(
          (value, bucket) => 'L' + x(bucket).toFixed(1) + ' ' + y(value).toFixed(1) + 'H' + x(bucket + 1).toFixed(1)).join('') + 'V' + y(0)}));
      const [p50, p95] = ['p50', 'p95'].map(key => x(bucketPlace(edges, spread[side][key])));
      const mark = (place, text, toLeft) => svg.append(
          makeSvg('line', {class: side + '-line quantile', x1: place, x2: place, y1: top, y2: height - bottom}),
          ...(text ? [makeSvg('text', {class: 'quantile-name', x: place + (toLeft ? -3 : 3), y: top - 6 - 13 * row, 'text-anchor': toLeft ? 'end' : 'start'}, text)] : []));
      // Beside each other, or one name for both where there is no room.
      const p50ToLeft = p50 > left + quantileRoom, p95ToLeft = p95 > width - 90;
      const isOneName = p95 - p50 < (p50ToLeft === p95ToLeft ? quantileRoom : p50ToLeft ? 0 : 2 * quantileRoom);
      mark(p50, isOneName ? '' : 'p50 ' + side, p50ToLeft);
      mark(p95, (isOneName ? 'p50, p95 ' : 'p95 ') + side, p95ToLeft);
    });
    return svg;
  });
  return makeSection('spread', 'Steps by duration', make('p', '', comparison.change), box, sidesLegend(quantiles),
      make('p', 'note', 'Height: the share of a side’s steps in a bucket. Both sides have the same buckets, those of the recorded histogram.'));
}
