// Values as people read them: units are automatic; raw seconds are in exports.

// Nanoseconds with three significant digits: 1.43 ms, 83 ms, 12 µs.
function duration(ns) {
  if (ns === null || ns === undefined)
    return '–';
  const units = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];
  const size = Math.abs(ns);
  if (size === 0)
    return '0';
  if (size >= 999.5e9)
    return grouped(Math.round(ns / 1e9)) + ' s';
  const [unit, suffix] = units.find(([limit]) => size >= limit * 0.9995) || units[3];
  const value = ns / unit;
  const rounded = Number(value.toPrecision(3));
  return (size < 1 ? value.toPrecision(2) : unit === 1 && size < 1000 ? String(Math.round(value))
      : rounded.toFixed(Math.max(0, 2 - Math.floor(Math.log10(Math.abs(rounded)))))) + ' ' + suffix;
}

// 10032 as 10,032.
function grouped(count) {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

// TEXT with its numbers of things as grouped() has them; other numbers, as those of
// lines and processes, stay.
const groupedText = text => text.replace(/(?<![\d.,])\d{4,}(?= (?:of \d+ )?(?:are|bins|calls|events|kernels|lines|paths|rows|samples|spans|steps|warm-up)\b)|(?<=\d of )\d{4,}(?= [a-z])/g, grouped);

// "1 name", "2 names".
const counted = (count, noun) => grouped(count) + ' ' + noun + (count === 1 ? '' : 's');

// A percentage: one digit behind the point below 10 %.
function percent(value) {
  return value > 0 && value < 0.05 ? '< 0.1%' : value.toFixed(Math.abs(value) < 9.95 ? 1 : 0) + '%';
}

// The shares of NUMBERS in their sum, with tenths of a percent that add up to 100 %: what
// rounding down leaves goes to those that lost most by it.
function sharesOf(numbers) {
  const whole = numbers.reduce((sum, each) => sum + each, 0);
  const exact = numbers.map(each => 1000 * each / whole);
  const tenths = exact.map(Math.floor);
  const left = 1000 - tenths.reduce((sum, each) => sum + each, 0);
  exact.map((each, index) => [each - tenths[index], index]).sort((a, b) => b[0] - a[0] || a[1] - b[1])
      .slice(0, left).forEach(([, index]) => ++tenths[index]);
  return tenths.map((each, index) => each || !numbers[index] ? (each / 10).toFixed(1) + '%' : '< 0.1%');
}

function percentOf(part, whole) {
  return percent(whole > 0 ? 100 * part / whole : 0);
}

// VALUE of a column with STYLE; [value, text] brings its text along.
function valueText(value, style) {
  if (Array.isArray(value))
    return value[1];
  if (value === null || value === undefined)
    return '–';
  switch (style) {
  case 'time': return value === 0 ? '–' : duration(value);
  case 'percent': return percent(value);
  case 'number': return Number.isInteger(value) ? grouped(value) : String(Number(value.toPrecision(4)));
  default: return String(value);
  }
}

function plainValue(value) {
  return Array.isArray(value) ? value[0] : value;
}

function dateText(milliseconds) {
  return milliseconds > 0 ? new Date(milliseconds).toLocaleString('en-GB', {
    day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit'}) : '';
}
