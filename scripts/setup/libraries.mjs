import path from 'node:path'
import { run } from './child.mjs'

/** Names that Debian's rule (see `packageOf`) does not give. */
const exceptions = new Map([
  ['libatk-1.0.so.0', 'libatk1.0-0'],
  ['libatk-bridge-2.0.so.0', 'libatk-bridge2.0-0'],
  ['libatspi.so.0', 'libatspi2.0-0'],
  ['libgdk-3.so.0', 'libgtk-3-0'],
  ['libgio-2.0.so.0', 'libglib2.0-0'],
  ['libglib-2.0.so.0', 'libglib2.0-0'],
  ['libgmodule-2.0.so.0', 'libglib2.0-0'],
  ['libgobject-2.0.so.0', 'libglib2.0-0'],
  ['libnssutil3.so', 'libnss3'],
  ['libplc4.so', 'libnspr4'],
  ['libplds4.so', 'libnspr4'],
  ['libsmime3.so', 'libnss3'],
  ['libssl3.so', 'libnss3'],
])

/** Packages that got another name when Debian 13 and Ubuntu 24.04 went over to 64 bits for times. */
const renamedForTime64 = new Set([
  'libasound2',
  'libatk-bridge2.0-0',
  'libatk1.0-0',
  'libatspi2.0-0',
  'libcups2',
  'libglib2.0-0',
  'libgtk-3-0',
])

/**
 * The Debian package that holds a library. Debian names packages after what is inside: `libX11.so.6` is in `libx11-6`,
 * `libgbm.so.1` in `libgbm1`, with a dash where the name ends in a digit.
 * @param {string} library
 * @param {boolean} [time64]
 */
export function packageOf(library, time64 = false) {
  const name = exceptions.get(library) ?? byRule(library)
  return time64 && renamedForTime64.has(name) ? `${name}t64` : name
}

/** @param {string} library */
function byRule(library) {
  const [base = library, version = ''] = library.toLowerCase().replaceAll('_', '-').split('.so')
  const major = version.replace(/^\./, '')
  return major !== '' && /\d$/.test(base) ? `${base}-${major}` : `${base}${major}`
}

/**
 * Whether this system's release came after the renaming for 64-bit times.
 * @param {string} osRelease the text of /etc/os-release
 */
export function hasTime64(osRelease) {
  const id = /^ID="?([a-z]+)/m.exec(osRelease)?.[1]
  const version = Number.parseFloat(/^VERSION_ID="?([\d.]+)/m.exec(osRelease)?.[1] ?? '')
  // Debian's testing has no VERSION_ID.
  if (id === 'debian') return Number.isNaN(version) || version >= 13
  return id === 'ubuntu' && version >= 24.04
}

/**
 * The libraries that a dynamic linker's listing (`ldd`) calls "not found", each once.
 * @param {string} listing
 */
export function missingIn(listing) {
  const lines = listing.split('\n').filter((line) => line.trimEnd().endsWith('=> not found'))
  return [...new Set(lines.map((line) => line.trim().split(' ')[0] ?? ''))]
}

/**
 * The libraries that an executable needs and this system lacks; none where there is no `ldd` to tell.
 * @param {string} executable
 */
export async function missingLibraries(executable) {
  if (process.platform !== 'linux') return []
  const { stdout } = await run('ldd', [path.resolve(executable)], {
    // The listing is read, so its language matters.
    env: { ...process.env, LC_ALL: 'C' },
  })
  return missingIn(stdout)
}
