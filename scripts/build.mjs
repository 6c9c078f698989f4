#!/usr/bin/env node
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { run } from './setup/child.mjs'
import { ensureDependencies } from './setup/dependencies.mjs'
import { fingerprint, readStamp, writeStamp } from './setup/fingerprint.mjs'
import { withLock } from './setup/lock.mjs'
import { checkNode, root } from './setup/project.mjs'
import { Fault, runScript, say } from './setup/words.mjs'

/** Files that the built app is made from. */
const sources = [
  'src',
  'electron.vite.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'tsconfig.json',
]

/** A build that somebody emptied by hand is made again. */
const products = [
  'out/main/index.cjs',
  'out/main/cli.cjs',
  'out/preload/index.cjs',
  'out/renderer/index.html',
]

const stampFile = path.join(root, 'out', '.build')

/** Builds the app into `out`, unless it is newer than its sources. Two at once take turns. */
export async function ensureBuild() {
  if (isCurrent()) return
  await withLock('build', async () => {
    if (isCurrent()) return
    say('Building …')
    // Taken before: a file that changes meanwhile makes the next build.
    const stamp = fingerprint(sources)
    forgetBuild()
    await build()
    writeStamp(stampFile, stamp)
  })
}

/** Lets the next `ensureBuild` build, whatever stands in `out`: something else is going to write there. */
export function forgetBuild() {
  fs.rmSync(stampFile, { force: true })
}

function isCurrent() {
  return (
    readStamp(stampFile) === fingerprint(sources) &&
    products.every((file) => fs.existsSync(path.join(root, file)))
  )
}

async function build() {
  const tool = path.join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js')
  const { code, stdout, stderr } = await run(process.execPath, [
    tool,
    'build',
    '--logLevel',
    'warn',
  ])
  if (code !== 0) throw new Fault(`${stdout}${stderr}\nThe build failed (exit code ${code}).`)
}

if (import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1] ?? '.')).href)
  await runScript(async () => {
    checkNode()
    await ensureDependencies()
    await ensureBuild()
    return 0
  })
