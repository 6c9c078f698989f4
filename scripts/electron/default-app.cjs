// Electron's own default app, in short: what `electron [switches] path [arguments]` does with its command line. The
// pinned runtime comes without one, because it was packed with an app of its own.
const Module = require('node:module')
const fs = require('node:fs')
const path = require('node:path')
const { fileURLToPath } = require('node:url')
const { app } = require('electron')

const asked = readCommandLine(process.argv.slice(1))
if (asked.version) tell(`v${process.versions.electron}`)
if (asked.abi) tell(process.versions.modules)
if (asked.modules.length > 0) Module._preloadModules(asked.modules)
if (asked.app === undefined) refuse('electron: no app path was given')
else load(path.resolve(asked.app.startsWith('file:') ? fileURLToPath(asked.app) : asked.app))

/** The first word that is no switch is the app; what follows is the app's own. */
function readCommandLine(words) {
  const found = { app: undefined, modules: [], version: false, abi: false }
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (word === '-r' || word === '--require') found.modules.push(words[++at])
    else if (word === '-v' || word === '--version') return { ...found, version: true }
    else if (word === '-a' || word === '--abi') return { ...found, abi: true }
    else if (word.startsWith('--app=')) return { ...found, app: word.slice('--app='.length) }
    else if (!word.startsWith('-')) return { ...found, app: word }
  }
  return found
}

function load(packagePath) {
  Object.defineProperty(process, 'defaultApp', { enumerable: true, value: true })
  const described = describe(packagePath)
  let entry
  try {
    entry = Module._resolveFilename(packagePath, null, true)
  } catch (error) {
    refuse(`Unable to find Electron app at ${packagePath}\n\n${error.message}`)
  }
  app.setAppPath(described ? packagePath : path.dirname(entry))
  Module._load(packagePath, Module, true)
}

/** Takes over the app's name and version; without a package.json the path is a script. */
function describe(packagePath) {
  const file = path.join(packagePath, 'package.json')
  if (!fs.existsSync(file)) return false
  const { name, productName, version, desktopName } = JSON.parse(fs.readFileSync(file, 'utf8'))
  if (version) app.setVersion(version)
  if (productName || name) app.name = productName || name
  app.setDesktopName?.(desktopName || `${app.name}.desktop`)
  return true
}

function tell(text) {
  console.log(text)
  process.exit(0)
}

function refuse(text) {
  console.error(text)
  process.exit(1)
}
