// Opens report pages in headless Chromium for the tests in this
// folder and for docs/screenshots.js. Used as require('browser'),
// with LOOPSCOPE_CHROMIUM naming the browser.
'use strict';

const {chromium} = require('playwright-core');
const fs = require('fs');
const path = require('path');
const {pathToFileURL} = require('url');
const {format} = require('util');

// Without a sandbox, because tests may run as root,
// and without the browser's background activity.
const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run',
               '--disable-background-networking', '--disable-component-update', '--disable-sync'];

// How long a script waits for what it expects, in ms: also
// where a busy machine takes its processor away.
const patience = 600000;

// One browser for all reports of a script.
let launched = null, users = 0;

function browser() {
  ++users;
  launched ||= chromium.launch({executablePath: process.env.LOOPSCOPE_CHROMIUM, headless: true, args: flags, timeout: patience});
  return launched;
}

// Closes it when nobody goes on with another report.
function leave() {
  --users;
  setImmediate(async () => {
    const last = users === 0 ? launched : null;
    if (last) {
      launched = null;
      await (await last).close();
    }
  });
}

// Opens the report at FILE, or at an address of `loopscope
// view`, and passes it to USE. OPTIONS are Playwright's for
// a page: viewport, colorScheme. All console output,
// exceptions and requests other than for the file itself, or
// to that server, are printed and make the program fail.
async function withReport(file, options, use) {
  try {
    const page = await (await browser()).newPage(options);
    page.setDefaultTimeout(patience);
    const isServed = file.startsWith('http://127.0.0.1:');
    const address = isServed ? file : pathToFileURL(path.resolve(file)).href;
    const complain = (...words) => {
      console.log('complaint:', ...words);
      process.exitCode = 1;
    };
    page.on('console', message => complain('console', message.text()));
    page.on('pageerror', error => complain('exception', error.message));
    page.on('request', request => {
      const isOwn = isServed ? request.url().startsWith(address) : request.url().split('#')[0] === address;
      if (!isOwn && !request.url().startsWith('data:'))
        complain('request', request.url());
    });
    await page.goto(address);
    await use(page);
    await page.close();
  } finally {
    leave();
  }
}

// The body of a script: USE with each page named on the command line. Of several,
// what is printed about NAME.html goes to NAME.out.
async function test(use, options = {}) {
  const files = process.argv.slice(2), print = console.log;
  for (const file of files) {
    let printed = '';
    if (files.length > 1)
      console.log = (...words) => { printed += format(...words) + '\n'; };
    try {
      await withReport(file, options, use);
    } catch (error) {
      console.log('failed:', error.message);
      process.exitCode = 1;
    }
    console.log = print;
    if (files.length > 1)
      fs.writeFileSync(file.replace(/\.html$/, '') + '.out', printed);
  }
}

// The texts of all elements matching SELECTOR.
function texts(page, selector) {
  return page.$$eval(selector, found => found.map(each => each.innerText.trim()));
}

// Scrolls to the chart below SELECTOR and waits until it is drawn.
async function chart(page, selector) {
  const box = page.locator(selector + ' .chart').first();
  await box.scrollIntoViewIfNeeded();
  await box.evaluate(element => new Promise(done => {
    const look = () => element.chart ? done() : requestAnimationFrame(look);
    look();
  }));
  return box;
}

// Waits until the timeline shows what the page was told:
// it is drawn before the next frame.
function drawn(page) {
  return page.evaluate(() => new Promise(done => requestAnimationFrame(done)));
}

module.exports = {withReport, test, texts, chart, drawn};
