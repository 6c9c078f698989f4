import fs from 'node:fs'
import path from 'node:path'
import { run } from '../setup/child.mjs'
import { packageOf } from '../setup/libraries.mjs'
import { root } from '../setup/project.mjs'
import { Fault } from '../setup/words.mjs'
import { packageVersion } from './identity.mjs'
import { sourceTime } from './source-time.mjs'

/** Where the app is installed. */
const place = 'opt/Skein'

const packaging = path.join(root, 'packaging')
const iconSizes = [16, 24, 32, 48, 64, 128, 256, 512]

/** Debian's names of the processors that Node names. */
const architectures = new Map([
  ['x64', 'amd64'],
  ['arm64', 'arm64'],
])

/** Libraries that Electron's executable is linked to. */
const libraries = [
  'libX11.so.6',
  'libXcomposite.so.1',
  'libXdamage.so.1',
  'libXext.so.6',
  'libXfixes.so.3',
  'libXrandr.so.2',
  'libasound.so.2',
  'libatk-1.0.so.0',
  'libatk-bridge-2.0.so.0',
  'libatspi.so.0',
  'libc.so.6',
  'libcairo.so.2',
  'libcups.so.2',
  'libdbus-1.so.3',
  'libdrm.so.2',
  'libexpat.so.1',
  'libgbm.so.1',
  'libglib-2.0.so.0',
  'libgtk-3.so.0',
  'libnspr4.so',
  'libnss3.so',
  'libpango-1.0.so.0',
  'libxcb.so.1',
  'libxkbcommon.so.0',
]

/**
 * Packs the app's folder into a `.deb`: the app in /opt/Skein, `skein` on the PATH, an entry in the menu, the
 * kind of its exports, icons and the licence. Resolves to its path. Nothing runs when it is installed: all that it needs is in its files and their modes.
 * @param {string} app
 * @param {string} output
 */
export async function buildDeb(app, output) {
  const tree = path.join(output, '.deb')
  const version = packageVersion()
  const architecture = architectures.get(process.arch)
  if (architecture === undefined) throw new Fault(`Debian has no Electron for ${process.arch}.`)
  copyTree(app, path.join(tree, place))
  // Chromium's helper for kernels that let nobody but root make namespaces.
  fs.chmodSync(path.join(tree, place, 'chrome-sandbox'), 0o4755)
  link(path.join(tree, 'usr/bin/skein'), `../../${place}/bin/skein`)
  put(path.join(tree, 'usr/share/applications/skein.desktop'), 'linux/skein.desktop')
  put(path.join(tree, 'usr/share/mime/packages/skein.xml'), 'linux/skein.xml')
  for (const size of iconSizes) {
    const name = `${size}x${size}`
    put(path.join(tree, `usr/share/icons/hicolor/${name}/apps/skein.png`), `icons/${name}.png`)
  }
  put(path.join(tree, 'usr/share/icons/hicolor/scalable/apps/skein.svg'), 'icons/icon.svg')
  put(path.join(tree, 'usr/share/doc/skein/copyright'), '../LICENSE')
  const control = path.join(tree, 'DEBIAN', 'control')
  fs.mkdirSync(path.dirname(control))
  fs.writeFileSync(control, controlOf(version, architecture, sizeKiB(tree)))
  settleNew(tree)
  const file = path.join(output, `skein_${version}_${architecture}.deb`)
  // One thread: more would cut the packed bytes elsewhere.
  const args = ['-Zxz', '-z3', '--threads-max=1', '--root-owner-group', '--build', tree, file]
  const { code, stdout, stderr } = await run('dpkg-deb', args, {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(sourceTime()) },
  })
  if (code === 127) throw new Fault('A .deb needs the program dpkg-deb (package dpkg).')
  if (code !== 0) throw new Fault(`${stdout}${stderr}\ndpkg-deb failed (exit code ${code}).`)
  fs.rmSync(tree, { recursive: true })
  return file
}

/**
 * The control file of the package (deb-control(5)).
 * @param {string} version
 * @param {string} architecture
 * @param {number} size in KiB
 */
export function controlOf(version, architecture, size) {
  return `Package: skein
Version: ${version}
Architecture: ${architecture}
Maintainer: Skein contributors
Installed-Size: ${size}
Depends: ${dependencies().join(', ')}
Recommends: xdg-utils
Section: utils
Priority: optional
Description: Conversations with language models, on your own machine
 Skein finds the conversations you have with language models, its own and
 those that other programs left on the disk, shows them with every branch,
 searches, continues and exports them. It brings the command skein.
`
}

/** Packages of the libraries, with both of their names where Debian 13 and Ubuntu 24.04 renamed them. */
function dependencies() {
  const names = libraries.map((library) => {
    const [older, newer] = [packageOf(library), packageOf(library, true)]
    return older === newer ? older : `${newer} | ${older}`
  })
  return [...new Set(names)].sort()
}

/**
 * @param {string} from
 * @param {string} to
 */
function copyTree(from, to) {
  fs.cpSync(from, to, { recursive: true, preserveTimestamps: true })
}

/**
 * @param {string} file
 * @param {string} target
 */
function link(file, target) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.symlinkSync(target, file)
}

/**
 * @param {string} file
 * @param {string} from relative to the folder packaging
 */
function put(file, from) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.copyFileSync(path.join(packaging, from), file)
  fs.chmodSync(file, 0o644)
}

/**
 * Folders that this script made get their mode and every file a time: dpkg-deb leaves older times as they are.
 * @param {string} tree
 */
function settleNew(tree) {
  const time = sourceTime()
  const visit = (/** @type {string} */ each) => {
    const stat = fs.lstatSync(each)
    if (stat.isDirectory()) {
      for (const name of fs.readdirSync(each)) visit(path.join(each, name))
      fs.chmodSync(each, 0o755)
    }
    if (stat.isSymbolicLink()) fs.lutimesSync(each, time, time)
    else fs.utimesSync(each, time, time)
  }
  visit(tree)
  fs.chmodSync(path.join(tree, 'DEBIAN', 'control'), 0o644)
}

/**
 * What the files take on the disk.
 * @param {string} folder
 * @returns {number} in KiB
 */
function sizeKiB(folder) {
  let size = 0
  for (const entry of fs.readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const stat = fs.lstatSync(path.join(entry.parentPath ?? entry.path, entry.name))
    size += entry.isFile() ? Math.ceil(stat.size / 1024) : 1
  }
  return size
}
