const path = require('node:path')
const { fusesOf } = require('./fuses.cjs')

/**
 * What scripts/package.mjs found and wants: `platform` of the package, `electron` its version, `dist` the folder of an
 * Electron that is there already (undefined: electron-builder downloads it), `output` the folder for what is made.
 * @type {{ platform: NodeJS.Platform, electron: string, dist?: string, output: string }}
 */
const wanted = JSON.parse(process.env.SKEIN_PACKAGE ?? '{}')

const icons = path.join(__dirname, 'icons')

module.exports = {
  appId: 'app.skein',
  productName: 'Skein',
  copyright: 'Copyright (c) Skein contributors, MIT License',
  electronVersion: wanted.electron,
  ...(wanted.dist === undefined ? {} : { electronDist: wanted.dist }),
  directories: { output: wanted.output, buildResources: __dirname },
  // Everything is bundled (decision 7): no node_modules.
  files: ['out/main/**', 'out/preload/**', 'out/renderer/**', 'package.json', 'LICENSE'],
  extraResources: [{ from: 'resources/sample', to: 'sample' }],
  asar: true,
  npmRebuild: false,
  // Updates are off until there is a place to get them from.
  publish: null,
  protocols: [{ name: 'Conversation in Skein', schemes: ['skein'] }],
  electronLanguages: ['en-US'],
  electronFuses: fusesOf(wanted.platform, Number.parseInt(wanted.electron, 10)),
  linux: {
    executableName: 'skein-window',
    icon: icons,
    category: 'Utility',
    synopsis: 'Conversations with language models, on your own machine',
  },
  mac: {
    target: ['dmg'],
    icon: path.join(icons, '512x512.png'),
    category: 'public.app-category.developer-tools',
    hardenedRuntime: true,
  },
  win: { target: ['nsis'], icon: path.join(icons, '256x256.png') },
  nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: true },
}
