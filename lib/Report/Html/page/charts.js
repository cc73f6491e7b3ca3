// Charts of the page, drawn by ECharts from the report's plain numbers. Each
// function takes an element and data and returns the chart, so that the page
// can resize it and draw it anew in the other theme.
'use strict';

const palette = ['#4c8ed9', '#e0872f', '#52a869', '#c9595f', '#8d6fc4', '#3aa6a6',
                 '#b58a2c', '#d0699f', '#6b8f3a'];
// What a run is made of, as opposed to what it does.
const frame = new Map(Object.entries({
  'main thread': '#56677a', fit: '#62748a', validate: '#62748a', test: '#62748a',
  predict: '#62748a', epoch: '#6d8095', train: '#788ba0', valid: '#788ba0',
  step: '#8496aa', batch: '#8f9fb1', '(rest)': '#8f9fb1', Other: '#8f9fb1'}));
// All that only waits, by its name or as a role of steps.
const waiting = '#a3957a';

// What a phase is drawn in, the same in all charts of a run.
const colours = new Map();
let named = 0; // of them, those that have one of the palette

function colourOf(name) {
  if (frame.has(name))
    return frame.get(name);
  if (!colours.has(name))
    colours.set(name, palette[named++ % palette.length]);
  return colours.get(name);
}

// Gives RUN's names their colours: first those that the steps are made of.
function startColours(run) {
  colours.clear();
  for (const name of [...run.waits, 'Wait'])
    colours.set(name, waiting);
  named = 0;
  for (const part of run.stack ? run.stack.parts : [])
    colourOf(part.name);
  const queue = [...run.tree];
  for (const node of queue) {
    colourOf(node.name);
    queue.push(...node.children);
  }
}

function cssColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// Seconds with four significant digits and an SI prefix, as the tables print
// durations.
function duration(seconds) {
  if (!seconds)
    return '0';
  const units = [[1, ' s'], [1e-3, ' ms'], [1e-6, ' µs'], [1e-9, ' ns']];
  const size = Math.abs(seconds);
  const [unit, suffix] = units.find(([limit]) => size >= limit * 0.99995) || units[3];
  return (seconds / unit).toPrecision(4).replace(/e\+\d+$/, '') + suffix;
}

// Names come from the profile: they are escaped wherever ECharts takes markup.
function escaped(text) {
  return String(text).replace(/[&<>"']/g, c => '&#' + c.charCodeAt(0) + ';');
}

function tooltipLines(...lines) {
  return lines.map(escaped).join('<br>');
}

function startChart(element) {
  const chart = echarts.init(element, null, {renderer: 'canvas'});
  element.chart = chart;
  return chart;
}

function baseOptions() {
  return {
    color: palette, animation: false,
    textStyle: {color: cssColour('--text')},
    tooltip: {confine: true, backgroundColor: cssColour('--raised'),
              borderColor: cssColour('--line'), textStyle: {color: cssColour('--text')}},
  };
}

function axis(options) {
  return Object.assign({axisLabel: {color: cssColour('--quiet')},
                        axisLine: {lineStyle: {color: cssColour('--line')}},
                        splitLine: {lineStyle: {color: cssColour('--line')}}}, options);
}

// Step time by part: one stacked bar per step, the last of them the average.
function stackChart(element, stack) {
  const chart = startChart(element);
  chart.setOption(Object.assign(baseOptions(), {
    legend: {type: 'scroll', top: 4, textStyle: {color: cssColour('--text')}},
    grid: {left: 8, right: 8, top: 40, bottom: stack.labels.length > 60 ? 56 : 8, containLabel: true},
    xAxis: axis({type: 'category', data: stack.labels}),
    yAxis: axis({type: 'value', axisLabel: {color: cssColour('--quiet'), formatter: duration}}),
    dataZoom: stack.labels.length > 60 ? [{type: 'slider'}, {type: 'inside'}] : [],
    series: stack.parts.map(part => ({
      type: 'bar', stack: 'step', name: part.name, data: part.seconds, color: colourOf(part.name),
      tooltip: {valueFormatter: duration}})),
  }));
  chart.setOption({tooltip: {trigger: 'item', formatter: at => tooltipLines(
      'step ' + at.name, at.seriesName + ': ' + duration(at.value))}});
  return chart;
}

function pieChart(element, pie) {
  const chart = startChart(element);
  chart.setOption(Object.assign(baseOptions(), {
    series: [{type: 'pie', radius: ['30%', '70%'],
              label: {color: cssColour('--text'), width: 160, overflow: 'truncate'},
              data: pie.items.map(item => ({name: item.name, value: item.seconds}))}],
  }));
  chart.setOption({tooltip: {formatter: at => tooltipLines(
      at.name, duration(at.value) + ' (' + at.percent + ' %)')}});
  return chart;
}

// A bar for each phase of what-if's TABLE: by how much a step grows when the
// phase grows, with a line for the interval.
function slopeChart(element, table) {
  const at = Object.fromEntries(table.columns.map((column, index) => [column.key, index]));
  const known = table.rows.filter(row => cellValue(row.cells[at.slope]) !== null);
  const value = (row, key) => cellValue(row.cells[at[key]]);
  const verdicts = {critical: '#c9595f', partly: '#e0872f', hidden: '#52a869', unknown: '#8496aa'};
  element.style.height = (80 + known.length * 32) + 'px';
  const chart = startChart(element);
  chart.setOption(Object.assign(baseOptions(), {
    grid: {left: 8, right: 24, top: 8, bottom: 8, containLabel: true},
    xAxis: axis({type: 'value', name: 'slope'}),
    yAxis: axis({type: 'category', inverse: true, data: known.map(row => value(row, 'phase'))}),
    series: [
      {type: 'bar', barMaxWidth: 18, data: known.map(row => ({
        value: value(row, 'slope'), itemStyle: {color: verdicts[value(row, 'verdict')]}}))},
      {type: 'custom', encode: {x: [0, 1], y: 2},
       data: known.map((row, index) => [value(row, 'slope_low'), value(row, 'slope_high'), index]),
       renderItem: (params, api) => {
         const [x0, y] = api.coord([api.value(0), api.value(2)]);
         const x1 = api.coord([api.value(1), api.value(2)])[0];
         return {type: 'line', shape: {x1: x0, y1: y, x2: x1, y2: y},
                 style: {stroke: cssColour('--text'), lineWidth: 2}};
       }}],
  }));
  chart.setOption({tooltip: {formatter: item => {
    const row = known[item.dataIndex];
    return tooltipLines(value(row, 'phase') + ': ' + value(row, 'verdict'),
        'slope ' + value(row, 'slope').toFixed(2) + ', ' + value(row, 'slope_low').toFixed(2) +
        ' to ' + value(row, 'slope_high').toFixed(2));
  }}});
  return chart;
}

// Distribution of a phase's durations: buckets of [seconds, count].
function histogramChart(element, buckets) {
  const chart = startChart(element);
  chart.setOption(Object.assign(baseOptions(), {
    grid: {left: 8, right: 16, top: 16, bottom: 8, containLabel: true},
    xAxis: axis({type: 'category', data: buckets.map(b => duration(b[0]))}),
    yAxis: axis({type: 'value', name: 'spans', minInterval: 1}),
    series: [{type: 'bar', barCategoryGap: '5%', data: buckets.map(b => b[1])}],
  }));
  chart.setOption({tooltip: {formatter: at => tooltipLines(
      'about ' + at.name, at.value + ' spans')}});
  return chart;
}

// Boxes of a tree below NODE: [start, end, depth, name, seconds, calls, path].
function icicleBoxes(node) {
  const boxes = [];
  const place = (at, start, depth, path) => {
    boxes.push({value: [start, start + at.seconds, depth], node: at, path});
    let next = start;
    at.children.forEach((child, index) => {
      place(child, next, depth + 1, path.concat(index));
      next += child.seconds;
    });
  };
  place(node, 0, 0, []);
  return boxes;
}

function boxShape(params, api, label, colour, bottom) {
  const [x0, y] = api.coord([api.value(0), api.value(2)]);
  const x1 = api.coord([api.value(1), api.value(2)])[0];
  const height = api.size([0, 1])[1] - 1;
  const area = params.coordSys;
  const box = echarts.graphic.clipRectByRect(
      {x: x0, y: bottom ? y : y - height / 2, width: Math.max(x1 - x0 - 0.5, 0.5), height},
      {x: area.x, y: area.y, width: area.width, height: area.height});
  return box && {
    type: 'rect', shape: box, style: {fill: colour},
    textConfig: {position: 'insideLeft', inside: true},
    textContent: {style: {text: box.width > 24 ? label : '', fill: '#ffffff', fontSize: 12,
                          width: box.width - 8, overflow: 'truncate'}}};
}

// The call-path tree as an icicle: width is time, children hang below. A click
// makes a phase the whole width.
function icicleChart(element, root, onPick) {
  const chart = startChart(element);
  const boxes = icicleBoxes(root);
  const depth = 1 + Math.max(...boxes.map(b => b.value[2]));
  chart.setOption(Object.assign(baseOptions(), {
    grid: {left: 4, right: 4, top: 4, bottom: 4},
    xAxis: {type: 'value', min: 0, max: root.seconds || 1, show: false},
    yAxis: {type: 'value', min: 0, max: Math.max(depth, 8), inverse: true, show: false},
    series: [{type: 'custom', data: boxes, encode: {x: [0, 1], y: 2},
      renderItem: (params, api) => {
        const node = boxes[params.dataIndex].node;
        return boxShape(params, api, node.name, colourOf(node.name), true);
      }}],
  }));
  chart.setOption({tooltip: {formatter: at => {
    const node = boxes[at.dataIndex].node;
    return tooltipLines(node.name, duration(node.seconds) + ', ' +
        (100 * node.seconds / (root.seconds || 1)).toFixed(1) + ' % of ' + root.name,
        node.calls + ' calls, self ' + duration(node.self));
  }}});
  chart.on('click', at => onPick(boxes[at.dataIndex].path));
  return chart;
}

// The last steps as tracks of spans; wheel and slider zoom, dragging pans.
function timelineChart(element, timeline) {
  const chart = startChart(element);
  const rows = [];
  const first = [];
  for (const track of timeline.tracks) {
    first.push(rows.length);
    const depth = 1 + Math.max(0, ...track.spans.map(s => s[3]));
    for (let i = 0; i < depth; ++i)
      rows.push(i ? '' : track.name);
  }
  const spans = timeline.tracks.flatMap((track, index) => track.spans.map(
      s => ({value: [s[0], s[0] + s[1], first[index] + s[3]], name: timeline.names[s[2]]})));
  element.style.height = Math.min(120 + rows.length * 22, 900) + 'px';
  chart.resize();
  chart.setOption(Object.assign(baseOptions(), {
    grid: {left: 8, right: 16, top: 8, bottom: 64, containLabel: true},
    xAxis: axis({type: 'value', min: 'dataMin', max: 'dataMax',
                 axisLabel: {color: cssColour('--quiet'), formatter: duration,
                             hideOverlap: true, showMaxLabel: false}}),
    yAxis: axis({type: 'category', data: rows, inverse: true, splitLine: {show: false},
                 axisLabel: {color: cssColour('--text'), width: 110, overflow: 'truncate', interval: 0}}),
    dataZoom: [{type: 'slider', filterMode: 'weakFilter', labelFormatter: duration},
               {type: 'inside', filterMode: 'weakFilter'}],
    series: [{type: 'custom', data: spans, encode: {x: [0, 1], y: 2},
      progressive: 5000,
      renderItem: (params, api) => {
        const span = spans[params.dataIndex];
        return boxShape(params, api, span.name, colourOf(span.name), false);
      }}],
  }));
  chart.setOption({tooltip: {formatter: at => tooltipLines(
      at.data.name, duration(at.data.value[1] - at.data.value[0]),
      'at ' + duration(at.data.value[0]))}});
  return chart;
}

// Makes the part of a timeline that is seen FACTOR times as long and moves it by
// BY of its length.
function zoomBy(chart, factor, by) {
  const {start, end} = chart.getOption().dataZoom[0];
  const length = Math.min((end - start) * factor, 100);
  const middle = (start + end) / 2 + by * (end - start);
  const from = Math.max(0, Math.min(middle - length / 2, 100 - length));
  chart.dispatchAction({type: 'dataZoom', start: from, end: from + length});
}
