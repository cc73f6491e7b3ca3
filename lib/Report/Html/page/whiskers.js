// Intervals of changes in tables: a line from the lower to the upper end over
// zero, with a dot at the change.

// Beyond this, in percent, a line goes on to the edge.
const widestWhisker = 100;

// The whiskers of TABLE, on one scale: {title, cell(row)}; null if it has none.
function whiskersOf(table) {
  const at = Object.fromEntries(table.columns.map((column, index) => [column.key, index]));
  if (!('low_percent' in at) || !('change_percent' in at))
    return null;
  const value = (row, key) => cellValue(row.cells[at[key]]);
  const known = table.rows.filter(row => typeof value(row, 'low_percent') === 'number');
  if (!known.length)
    return null;
  const sizes = known.flatMap(row => ['low_percent', 'change_percent', 'high_percent'].map(key => value(row, key)))
      .filter(each => typeof each === 'number').map(Math.abs);
  const limit = Math.min(widestWhisker, roundUp(Math.max(...sizes, 0.01)));
  const place = percent => 50 + 50 * Math.max(-limit, Math.min(limit, percent)) / limit + '%';
  const isSure = row => 'significant' in at ? value(row, 'significant') === 'yes' : value(row, 'basis') === 'mean';
  const cell = row => {
    const item = make('td', 'whiskers');
    if (!known.includes(row))
      return item;
    const change = value(row, 'change_percent'), high = value(row, 'high_percent');
    const end = high === null ? limit : high;
    const line = make('span', 'whisker ' + (!isSure(row) ? 'unsure' : change > 0 ? 'slower' : 'faster') +
        (value(row, 'low_percent') < -limit ? ' from-beyond' : '') + (high === null || high > limit ? ' to-beyond' : ''));
    line.style.left = place(value(row, 'low_percent'));
    line.style.right = 'calc(100% - ' + place(end) + ')';
    const dot = make('span', 'whisker-dot ' + line.classList[1]);
    dot.style.left = place(change);
    item.append(make('span', 'whisker-box', null, make('span', 'whisker-zero'), line, dot));
    item.firstChild.setAttribute('aria-hidden', 'true');
    return item;
  };
  return {title: '−' + Number(limit.toPrecision(3)) + '% to +' + Number(limit.toPrecision(3)) + '%', cell};
}
