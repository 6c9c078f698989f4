import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { run } from '../setup/child.mjs'
import { root } from '../setup/project.mjs'
import { Fault } from '../setup/words.mjs'

/**
 * Unpacks a `.deb` below a folder, as installing it below / would, and resolves to where the app and the command are.
 * @param {string} deb
 * @param {string} folder
 */
export async function installDeb(deb, folder) {
  const { code, stderr } = await run('dpkg-deb', ['--extract', deb, folder])
  if (code !== 0) throw new Fault(`${stderr}\n${deb} could not be unpacked.`)
  const app = path.join(folder, 'opt', 'Skein')
  return {
    app,
    window: path.join(app, 'skein-window'),
    command: path.join(folder, 'usr', 'bin', 'skein'),
  }
}

/**
 * Copies an installed app so that tests can drive it, and resolves to the copy's executable: the gate of the tests is in its archive,
 * and the fuse that keeps debuggers out is not blown. All else is what was installed.
 * @param {string} app
 * @param {string} copy
 */
export async function drivenCopy(app, copy) {
  // Tools of the folder packaging, which has its own dependencies.
  const load = createRequire(path.join(root, 'packaging', 'package.json'))
  const asar = load('@electron/asar')
  const { flipFuses, FuseV1Options, FuseVersion } = load('@electron/fuses')
  fs.cpSync(app, copy, { recursive: true })
  const archive = path.join(copy, 'resources', 'app.asar')
  const inside = path.join(copy, '.inside')
  asar.extractAll(archive, inside)
  fs.copyFileSync(path.join(root, 'scripts/electron/gate.cjs'), path.join(inside, 'gate.cjs'))
  const file = path.join(inside, 'package.json')
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8'))
  const start = `require('./gate.cjs')\nrequire(${JSON.stringify(manifest.main)})\n`
  fs.writeFileSync(path.join(inside, 'start.cjs'), start)
  fs.writeFileSync(file, JSON.stringify({ ...manifest, main: './start.cjs' }))
  await asar.createPackage(inside, archive)
  fs.rmSync(inside, { recursive: true })
  const executable = path.join(copy, 'skein-window')
  await flipFuses(executable, {
    version: FuseVersion.V1,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  })
  return executable
}
