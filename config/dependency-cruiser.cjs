/**
 * Who may import whom. docs/architecture.md shows the same table in words.
 * Each line: a room, then every other room it may import from. Nothing else is allowed.
 */
const rooms = {
  'shared/model': [],
  'shared/ipc': ['shared/model'],
  'main/async': [],
  'main/disk': ['main/async'],
  'main/sqlite': ['main/disk'],
  'main/pdf': ['shared/model', 'main/disk'],
  'main/store': ['shared/model', 'main/async', 'main/disk', 'main/segments'],
  'main/records': ['main/disk'],
  'main/readers': ['shared/model', 'main/disk', 'main/records', 'main/sqlite', 'main/store'], // store: chibi's reader alone
  'main/exporters': ['shared/model'],
  'main/redaction': ['shared/model', 'main/async'],
  'main/settings': ['shared/model', 'main/async', 'main/disk'],
  'main/practice': ['shared/model', 'main/disk'],
  'main/segments': ['shared/model', 'main/async', 'main/disk'],
  'main/library': ['shared/model', 'main/(async|disk|records|store|readers)/'],
  'main/search': ['shared/model', 'main/async', 'main/disk', 'main/segments', 'main/library'],
  'main/tools': ['shared/model', 'main/async', 'main/disk', 'main/store', 'main/settings'],
  'main/permission': ['shared/model', 'main/settings', 'main/tools'],
  'main/plugins': ['shared/model', 'main/async', 'main/disk', 'main/tools'],
  'main/llm': ['shared/model', 'main/async', 'main/store', 'main/tools', 'main/settings'],
  // An open home as one programming interface: below both faces, and without Electron and the window's contract.
  'main/home': [
    'shared/model',
    'main/(async|disk|store|readers|library|search|exporters|redaction|llm|settings|tools|permission)/',
  ],
  'main/ipc': [
    'shared',
    'main/home',
    'main/llm',
    'main/plugins',
    'main/exporters',
    'main/settings',
    'main/permission',
  ],
  'main/app': ['shared/model'],
  // The composition root's own parts: what is opened and closed together. main/index and main/composition alone may use them.
  'main/compose': [
    'shared',
    'main/(async|home|disk|store|library|llm|tools|plugins|settings|permission|ipc)/',
  ],
  cli: [
    'shared/model',
    'main/(async|home|disk|store|readers|segments|library|search|llm|tools|plugins|practice|exporters|settings|permission|pdf)/',
  ],
  preload: ['shared/ipc'],
  'renderer/ui': ['shared/model'],
  'renderer/state': ['shared', 'renderer/api.ts'],
  'renderer/(conversations|transcript|branches|search|composer|consent|details|settings|palette|statistics|export|sent|lost|first-run|notes|map|compare|app-window)':
    ['shared/model', 'renderer/state', 'renderer/ui', 'renderer/models', 'renderer/family-tree'],
  // The model picker: no view of its own, but a part that several features open.
  'renderer/models': ['shared/model', 'renderer/state', 'renderer/ui'],
  // The page of the quick entry, which shares nothing with the app window but the names of colours.
  'renderer/quick': ['shared/ipc', 'renderer/ui'],
  // A family as rows, which the details and the map show.
  'renderer/family-tree': ['shared/model', 'renderer/state', 'renderer/ui'],
  renderer: ['shared'], // the whole renderer: main is reached through window.api alone
}

/** Each dependency has one home, so that replacing it touches one room. */
const homes = {
  electron: ['main/index.ts', 'main/composition.ts', 'main/app/', 'main/ipc/', 'preload/'],
  openai: ['main/llm/'],
  zstddec: ['main/disk/'],
  'age-encryption': ['main/disk/encryption/'],
  '@noble/ciphers': ['main/disk/encryption/'],
  katex: ['renderer/ui/'],
  '@sqlite.org/sqlite-wasm': ['main/sqlite/'],
  'pdfjs-dist': ['main/pdf/'],
  zustand: ['renderer/state/'],
  diff: ['shared/model/calls/', 'shared/model/comparison/'],
  'gpt-tokenizer': ['main/llm/'],
  '@tanstack/react-virtual': ['renderer/'],
  '@visx/axis': ['renderer/statistics/'],
  '@visx/scale': ['renderer/statistics/'],
  '@visx/shape': ['renderer/statistics/'],
  react: ['renderer/'],
}

const inSrc = (paths) => paths.map((path) => `^src/${path}`)

module.exports = {
  forbidden: [
    ...Object.entries(rooms).map(([room, may]) => ({
      name: `room ${room}`,
      severity: 'error',
      from: { path: `^src/${room}/` },
      to: {
        path: '^src/',
        // $1 keeps a feature folder from importing its siblings: it may import itself only.
        pathNot: [room.includes('(') ? '^src/renderer/$1/' : `^src/${room}/`, ...inSrc(may)],
      },
    })),
    ...Object.entries(homes).map(([name, places]) => ({
      name: `home of ${name}`,
      severity: 'error',
      from: { path: '^src/', pathNot: inSrc(places) },
      to: { path: `^node_modules/${name}/` },
    })),
    {
      name: 'home of node:fs',
      severity: 'error',
      from: { path: '^src/', pathNot: inSrc(['main/disk/']) },
      to: { dependencyTypes: ['core'], path: '^(node:)?fs(/promises)?$' },
    },
    {
      name: 'every file has a room', // a new folder must be added to the table above before it may import anything
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          ...Object.keys(rooms)
            .filter((r) => r !== 'renderer')
            .map((r) => `^src/${r}/`),
          ...inSrc([
            'main/(index|composition)\\.ts$',
            'renderer/(main|App)\\.tsx$',
            'renderer/api\\.ts$',
          ]),
        ],
      },
      to: {},
    },
    {
      name: 'main/index begins with little', // Chromium waits for all that it loads; the rest comes with the composition
      severity: 'error',
      from: { path: '^src/main/index\\.ts$' },
      to: {
        path: '^src/',
        pathNot: inSrc([
          'shared/model/',
          'main/app/',
          'main/compose/(choose-home|user-files)\\.ts$',
          'main/disk/',
        ]),
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      // What is behind a question mark is the bundler's.
      to: { couldNotResolve: true, pathNot: '^@sqlite\\.org/sqlite-wasm/sqlite3\\.wasm\\?' },
    },
  ],
  options: {
    tsPreCompilationDeps: true, // type-only imports count: a type that leaks upward is a layer that leaks
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
