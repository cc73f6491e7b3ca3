// One table, and tabs that choose which: the call paths, then every view that
// the run has.

// Of views with many tables one is shown at a time.
const tablesAtOnce = 3;

// What each of TABLES is called: those of one title, as a stage's each, by number.
function tableNames(tables) {
  const titles = tables.map(table => table.title || table.id);
  return titles.map((title, index) => {
    const before = titles.slice(0, index).filter(each => each === title).length;
    return before ? title + ', ' + (before + 1) : title;
  });
}

function viewPanel(view) {
  const place = make('div');
  const names = tableNames(view.tables);
  const add = (table, index) => place.append(tableView(table, view.name, state.filter, names[index]));
  if (view.name === 'whatif')
    for (const table of view.tables)
      place.append(slopeBox(table));
  if (view.tables.length <= tablesAtOnce) {
    view.tables.forEach(add);
    return place;
  }
  const chooser = makeSelect('Table', names.map((name, index) => [String(index), name]),
                             '0', value => {
                               place.lastChild.remove();
                               add(view.tables[Number(value)], Number(value));
                             });
  place.append(make('div', 'tools', null, chooser,
                    make('span', 'hint', view.tables.length + ' tables')));
  add(view.tables[0], 0);
  return place;
}

function tabsView(run) {
  const tree = treeNow();
  const own = [...(tree.nodes.length && !tree.isSampled ? [{name: 'tree', title: 'Tree'}] : []),
               ...run.views.map(view => ({name: view.name, title: view.title, view}))];
  const shared = data.shared.map(view => ({name: view.name, title: view.title, view}));
  const kinds = data.comparison ? shared.concat(own) : own.concat(shared);
  if (!kinds.length)
    return null;
  const list = make('div', 'tabs');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Tables');
  const panel = make('div', 'panel');
  panel.id = 'panel';
  panel.setAttribute('role', 'tabpanel');
  let table = null;
  const current = () => kinds.find(kind => kind.name === state.tab) || kinds[0];
  const show = () => {
    const chosen = current();
    for (const tab of list.children) {
      const isChosen = tab.dataset.tab === chosen.name;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    }
    panel.setAttribute('aria-labelledby', 'tab-' + chosen.name);
    panel.dataset.view = chosen.name;
    table = chosen.view ? null : new TreeTable(tree);
    panel.replaceChildren(table ? table.element : viewPanel(chosen.view));
    if (table)
      table.showChosen();
  };
  for (const kind of kinds) {
    const tab = makeButton(kind.title, () => go({tab: kind.name, filter: ''}));
    tab.id = 'tab-' + kind.name;
    tab.dataset.tab = kind.name;
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', 'panel');
    list.append(tab);
  }
  list.addEventListener('keydown', event => {
    const by = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!by)
      return;
    event.preventDefault();
    const next = kinds[(kinds.indexOf(current()) + by + kinds.length) % kinds.length];
    go({tab: next.name, filter: ''});
    document.getElementById('tab-' + next.name).focus();
  });
  const section = make('section', 'part', null, list, panel);
  section.id = 'tables';
  section.setAttribute('aria-label', 'Tables');
  section.update = changed => {
    if (changed.has('tab') || changed.has('filter'))
      show();
    else if (table && changed.has('search'))
      table.fill();
    if (changed.has('node'))
      table ? table.showChosen() : markRows(panel);
  };
  show();
  return section;
}

// A bar for each phase of what-if's TABLE: by how much a step grows when the
// phase grows, with a line for the interval.
function slopeBox(table) {
  const at = Object.fromEntries(table.columns.map((column, index) => [column.key, index]));
  const known = table.rows.filter(row => cellValue(row.cells[at.slope]) !== null);
  const value = (row, key) => cellValue(row.cells[at[key]]);
  const box = chartBox('Slope of each phase, with its interval', (element, chart) => {
    chart.setOption(Object.assign(baseOptions(), {
      grid: {left: 8, right: 24, top: 8, bottom: 8, containLabel: true},
      xAxis: axis({type: 'value', name: 'slope'}),
      yAxis: axis({type: 'category', inverse: true, data: known.map(row => value(row, 'phase'))}),
      series: [
        {type: 'bar', barMaxWidth: 18, data: known.map(row => ({
          value: value(row, 'slope'), itemStyle: {color: colourOf(value(row, 'phase'))}}))},
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
  });
  box.style.height = (80 + known.length * 32) + 'px';
  return box;
}
