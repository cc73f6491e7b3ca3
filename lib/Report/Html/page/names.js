// Short forms of C++ functions' names, for labels: without return types,
// template arguments and parameters. The full name is what is searched for and
// what a pointer on the label shows.

// Signs of operators that look like brackets, the longest first.
const bracketSigns = ['<=>', '<<=', '>>=', '->*', '<<', '>>', '<=', '>=', '->', '()', '[]', '<', '>'];

// The end of an operator's name that begins at AT of NAME, or AT.
function operatorEnd(name, at) {
  if (!name.startsWith('operator', at) || /\w/.test(name[at - 1] || '') || /\w/.test(name[at + 8] || ''))
    return at;
  const start = at + 8 + /^ */.exec(name.slice(at + 8))[0].length;
  const word = /^(new|delete)/.exec(name.slice(start));
  const sign = bracketSigns.find(each => name.startsWith(each, start + (word ? word[0].length : 0)));
  return start + (word ? word[0].length : 0) + (sign ? sign.length : 0);
}

// The end of the "{lambda(...)#2}" at AT.
function lambdaEnd(name, at) {
  for (let depth = 0, i = at; i < name.length; ++i) {
    depth += (name[i] === '{') - (name[i] === '}');
    if (!depth)
      return i + 1;
  }
  return name.length;
}

// NAME with empty brackets at its top level.
function withoutBrackets(name) {
  let text = '';
  const open = [];
  for (let i = 0; i < name.length; ++i) {
    const end = operatorEnd(name, i);
    if (end > i) {
      text += open.length ? '' : name.slice(i, end);
      i = end - 1;
    } else if (name.startsWith('(anonymous namespace)', i)) {
      text += open.length ? '' : '(anon)';
      i += 20;
    } else if (!open.length && name.startsWith('{lambda', i)) {
      const number = /#\d+\}$/.exec(name.slice(i, lambdaEnd(name, i)));
      text += '{lambda' + (number ? number[0] : '}');
      i = lambdaEnd(name, i) - 1;
    } else if ('<({['.includes(name[i])) {
      open.push(name[i]);
    } else if ('>)}]'.includes(name[i]) && open.length) {
      if (name[i] === '>' && name[i - 1] === '-')
        continue;
      const opened = open.pop();
      text += open.length ? '' : opened === '<' ? '<>' : opened === '(' ? '()' : '';
    } else if (!open.length) {
      text += name[i];
    }
  }
  return text;
}

const shortNames = new Map();

// A function's NAME as short as it can be told by.
function shortName(name) {
  if (shortNames.has(name))
    return shortNames.get(name);
  let text = name;
  if (/[\w>)\]=+\-*/]\(|<.*>|\boperator\b/.test(name) && /^([\w~]|\(anonymous)/.test(name)) {
    text = withoutBrackets(name.replace(/\s*\[clone [^\]]*\]|\[abi:\w+\]|\s*\(\.[\w.]+\)/g, ''));
    text = text.replace(/\)( const| volatile| noexcept| ?&&?)+\s*$/, ')');
    // What is before the last blank outside brackets is the return type.
    const at = text.search(/\boperator\b/);
    const blank = (at < 0 ? text : text.slice(0, at)).lastIndexOf(' ');
    if (blank >= 0 && !/^(vtable|typeinfo|guard|non-virtual|virtual thunk|construction)/.test(text))
      text = text.slice(blank + 1);
    text = /operator\(\)$/.test(text) ? text : text.replace(/\(\)$/, '');
    text = text.replace(/\(\)::/g, '::').replace(/<>/g, '').trim() || name;
  }
  shortNames.set(name, text);
  return text;
}

// What a box shows of NODE of the call paths: phases are called as they are.
const labelOf = node => node.kind === 'function' || node.isFrame ? shortName(node.name) : node.name;
