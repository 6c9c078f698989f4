const path = require('node:path')
const { fusesOf } = require('./fuses.cjs')

/**
 * What scripts/package.mjs found and wants: `platform` of the package, `electron` its version, `dist` the folder of an
 * Electron that is there already (undefined: electron-builder downloads it), `output` the folder for what is made, `icons` that of
 * scripts/package/icons.mjs, `more` one of further resources.
 * @type {{ platform: NodeJS.Platform, electron: string, dist?: string, output: string, icons?: string, more?: string }}
 */
const wanted = JSON.parse(process.env.SKEIN_PACKAGE ?? '{}')

const icons = path.join(__dirname, 'icons')
const madeIcons = wanted.icons ?? icons

// electron-builder signs with the certificate of CSC_LINK or CSC_NAME, and has Apple notarise with one of these.
const isNotarised = ['APPLE_API_KEY', 'APPLE_ID', 'APPLE_KEYCHAIN'].some(
  (name) => process.env[name],
)

/**
 * @param {string} name
 * @param {readonly string[]} ext
 */
const alternate = (name, ext) => ({ name, ext: [...ext], role: 'Viewer', rank: 'Alternate' })

module.exports = {
  appId: 'app.skein',
  productName: 'Skein',
  copyright: 'Copyright (c) Skein contributors, MIT License',
  electronVersion: wanted.electron,
  ...(wanted.dist === undefined ? {} : { electronDist: wanted.dist }),
  directories: { output: wanted.output, buildResources: __dirname },
  // Everything is bundled (decision 7): no node_modules.
  files: ['out/main/**', 'out/preload/**', 'out/renderer/**', 'package.json', 'LICENSE'],
  extraResources: [
    { from: 'resources/sample', to: 'sample' },
    ...(wanted.more === undefined ? [] : [{ from: wanted.more, to: '.' }]),
  ],
  asar: true,
  npmRebuild: false,
  // Whether there are updates Skein asks by itself, where scripts/package/feed.mjs is told a place (decision 100).
  publish: null,
  protocols: [{ name: 'Conversation in Skein', schemes: ['skein'] }],
  electronLanguages: ['en-US'],
  electronFuses: fusesOf(wanted.platform, Number.parseInt(wanted.electron, 10)),
  linux: {
    executableName: 'skein-window',
    icon: icons,
    category: 'Utility',
    synopsis: 'Conversations with language models, on your own machine',
    // Our own kind alone: with any other, Skein may become its default program.
    mimeTypes: ['application/x-skein-conversation'],
  },
  mac: {
    target: ['dmg'],
    icon: path.join(madeIcons, 'icon.icns'),
    category: 'public.app-category.developer-tools',
    hardenedRuntime: true,
    notarize: isNotarised,
    // "Open With" offers Skein; the program that has these files keeps them.
    fileAssociations: [
      alternate('Conversations as JSON lines', ['jsonl', 'ndjson']),
      alternate('Export of conversations', ['zip', 'json']),
    ],
  },
  win: { target: ['nsis'], icon: path.join(madeIcons, 'icon.ico') },
  nsis: {
    oneClick: false,
    perMachine: false,
    allowToChangeInstallationDirectory: true,
    include: path.join(__dirname, 'windows', 'installer.nsh'),
  },
}
