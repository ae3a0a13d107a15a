// SPDX-License-Identifier: GPL-2.0-only
// SPDX-FileCopyrightText: 2026 rcc contributors
//
// What the importer of chrome://tracing finds in a trace: node lab/test/command/trace_viewer.js PACKAGE TRACE prints one line of JSON.
// PACKAGE is the folder of npm's traceviewer, which is that viewer.
'use strict';

const fs = require('fs');
const [viewer, file] = process.argv.slice(2).map((path) => fs.realpathSync(path));
require(viewer + '/catapult_build/node_bootstrap.js');
const folders = ['', '/third_party', '/third_party/jszip', '/third_party/gl-matrix/dist', '/third_party/d3', '/third_party/chai',
                 '/third_party/mocha'];
global.HTMLImportsLoader.addArrayToSourcePath(folders.map((name) => viewer + '/tracing' + name).filter(fs.existsSync));
for (const part of ['importer/import', 'model/model', 'extras/importer/trace_event_importer']) {
  global.HTMLImportsLoader.loadHTML(`/tracing/${part}.html`);
}
const model = new global.tr.Model();
new global.tr.importer.Import(model).importTraces([fs.readFileSync(file, 'utf8')]);
const found = {warnings: model.importWarnings.map((warning) => warning.message), processes: [], counters: 0, samples: 0, slices: 0,
               end_ms: model.bounds.max};
for (const process of model.getAllProcesses()) {
  found.processes.push(process.name);
  for (const counter of Object.values(process.counters)) {
    found.counters++;
    found.samples += counter.timestamps.length;
  }
  for (const thread of Object.values(process.threads)) {
    found.slices += thread.sliceGroup.slices.length;
  }
}
console.log(JSON.stringify(found));
