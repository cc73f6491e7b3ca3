// What all charts share: a place on the page, colours of the theme, boxes with
// labels, text that can't become markup. Drawn by ECharts.

// Charts are drawn when they come into sight: a page with large ones opens at
// once.
const sight = new IntersectionObserver(seen => {
  for (const {target, isIntersecting} of seen)
    if (isIntersecting && !target.chart)
      target.draw();
}, {rootMargin: '200px'});

// A place for a drawing. LABEL says the same in words; KEYS, by
// KeyboardEvent.key, are what the keyboard does with it. CREATE(box) makes the
// drawing, which has resize() and dispose(), and REDRAW makes it anew.
function drawingBox(label, create, keys = {}) {
  const box = make('div', 'chart');
  box.setAttribute('role', 'img');
  box.setAttribute('aria-label', label);
  if (Object.keys(keys).length)
    box.tabIndex = 0;
  box.draw = () => {
    if (box.chart)
      box.chart.dispose();
    box.chart = create(box);
  };
  box.redraw = () => {
    if (box.chart)
      box.draw();
  };
  box.addEventListener('keydown', event => {
    if (!keys[event.key] || event.ctrlKey || event.altKey || event.metaKey)
      return;
    event.preventDefault();
    keys[event.key](box);
  });
  sight.observe(box);
  return box;
}

// A place for a chart that DRAW(box, chart) makes with ECharts.
function chartBox(label, draw, keys) {
  return drawingBox(label, box => {
    box.chart = echarts.init(box, null, {renderer: 'canvas'});
    draw(box, box.chart);
    return box.chart;
  }, keys);
}

// Names come from the profile: they are escaped wherever ECharts takes markup.
function escaped(text) {
  return String(text).replace(/[&<>"']/g, c => '&#' + c.charCodeAt(0) + ';');
}

function tooltipLines(...lines) {
  return lines.map(escaped).join('<br>');
}

function baseOptions() {
  return {
    animation: false,
    textStyle: {color: cssColour('--text'), fontFamily: 'system-ui, sans-serif'},
    tooltip: {confine: true, backgroundColor: cssColour('--raised'),
              borderColor: cssColour('--line'), textStyle: {color: cssColour('--text')}},
  };
}

function axis(options) {
  return Object.assign({axisLine: {lineStyle: {color: cssColour('--line')}},
                        splitLine: {lineStyle: {color: cssColour('--line')}}}, options,
                       {axisLabel: Object.assign({color: cssColour('--quiet')}, options.axisLabel)});
}

// The box of a custom series at [start, end, row], with a label where there is
// room. BOTTOM: rows count from the top edge, not the middle. STYLE is ECharts'.
function boxShape(params, api, label, colour, bottom, style = {}) {
  const [x0, y] = api.coord([api.value(0), api.value(2)]);
  const x1 = api.coord([api.value(1), api.value(2)])[0];
  const height = api.size([0, 1])[1] - 1;
  const area = params.coordSys;
  const box = echarts.graphic.clipRectByRect(
      {x: x0, y: bottom ? y : y - height / 2, width: Math.max(x1 - x0 - 0.5, 0.5), height},
      {x: area.x, y: area.y, width: area.width, height: area.height});
  // A border would hide a narrow box.
  const border = box && box.width < 5 ? {lineWidth: 0} : {};
  return box && {
    type: 'rect', shape: box, style: Object.assign({fill: colour}, style, border),
    textConfig: {position: 'insideLeft', inside: true},
    textContent: {style: {text: box.width > 24 ? label : '', fill: onColour, fontSize: 12,
                          width: box.width - 8, overflow: 'truncate'}}};
}

// Distribution of durations: buckets of [ns, count] that are 12 % wide, so gaps
// are gaps. Logarithmic where durations are far apart.
function histogramChart(box, chart, node) {
  const buckets = node.histogram;
  const low = buckets[0][0] * 0.94, high = buckets.at(-1)[0] * 1.06;
  const most = Math.max(...buckets.map(bucket => bucket[1]));
  chart.setOption(Object.assign(baseOptions(), {
    grid: {left: 8, right: 16, top: 28, bottom: 8, containLabel: true},
    xAxis: axis({type: high > 20 * low ? 'log' : 'value', min: low, max: high, splitLine: {show: false},
                 axisLabel: {formatter: duration, hideOverlap: true, showMinLabel: false, showMaxLabel: false}}),
    yAxis: axis({type: 'value', name: 'spans', minInterval: 1, max: most,
                 nameTextStyle: {color: cssColour('--quiet')}}),
    series: [{type: 'custom', data: buckets, encode: {x: 0, y: 1}, renderItem: (params, api) => {
      const [x0, y] = api.coord([api.value(0) * 0.945, api.value(1)]);
      const [x1, bottom] = api.coord([api.value(0) * 1.06, 0]);
      return {type: 'rect', shape: {x: x0, y, width: Math.max(x1 - x0 - 1, 1), height: bottom - y},
              style: {fill: colourOf(node.name)}};
    }}],
  }));
  chart.setOption({tooltip: {formatter: at => tooltipLines(
      'about ' + duration(at.value[0]), grouped(at.value[1]) + ' spans')}});
}
