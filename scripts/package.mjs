#!/usr/bin/env node
import fs from 'node:fs'
import path from 'node:path'
import { ensureBuild } from './build.mjs'
import { ensureElectron } from './electron-runtime.mjs'
import { bundledComponents } from './package/bundled.mjs'
import { buildDeb } from './package/deb.mjs'
import { build, unpackedApp } from './package/electron-builder.mjs'
import { newestRelease, updateFeedOf } from './package/feed.mjs'
import { sbomOf } from './package/sbom.mjs'
import { sumsOf } from './package/sums.mjs'
import { buildTarball } from './package/tarball.mjs'
import { ensureDependencies } from './setup/dependencies.mjs'
import { checkNode, root } from './setup/project.mjs'
import { Fault, runScript, say } from './setup/words.mjs'

/** Where everything goes. */
const output = path.join(root, 'out', 'packages')

/** Formats that are made here, and those that electron-builder makes with tools that it downloads. */
const own = ['dir', 'tar.gz', 'deb']
const downloaded = ['AppImage', 'dmg', 'nsis']

/**
 * Makes packages of the built app in `out/packages`, with their SHA-256 sums and a list of what is inside (CycloneDX).
 * Words pick formats; without any: those that this system's own tools can make.
 */
await runScript(async () => {
  checkNode()
  const words = process.argv.slice(2)
  const unknown = words.find((word) => ![...own, ...downloaded].includes(word))
  if (unknown !== undefined)
    throw new Fault(`There is no format ${unknown}: ${[...own, ...downloaded].join(', ')}.`)
  if (process.platform !== 'linux' && words.some((word) => own.includes(word)))
    throw new Fault(`${own.join(', ')} are made on Linux.`)
  const formats = words.length > 0 ? words : process.platform === 'linux' ? own : defaultsHere()
  updateFeedOf(process.env)
  await ensureDependencies()
  await ensureDependencies(path.join(root, 'packaging'))
  await ensureBuild()
  const runtime = await ensureElectron()
  fs.rmSync(output, { recursive: true, force: true })
  fs.mkdirSync(output, { recursive: true })
  const made = await make(formats, runtime)
  const feed = path.join(output, `latest-${process.platform}.json`)
  const hasFeed = updateFeedOf(process.env) !== undefined
  if (hasFeed) fs.writeFileSync(feed, newestRelease(made))
  const sbom = path.join(output, 'skein.cdx.json')
  fs.writeFileSync(sbom, sbomOf(bundledComponents(), runtime.version))
  fs.writeFileSync(path.join(output, 'SHA256SUMS'), await sumsOf([...made, sbom]))
  for (const file of [...made, sbom, ...(hasFeed ? [feed] : [])])
    console.log(path.relative(root, file))
  return 0
})

/**
 * @param {readonly string[]} formats
 * @param {import('./electron-runtime.mjs').Runtime} runtime
 * @returns {Promise<readonly string[]>} files
 */
async function make(formats, runtime) {
  const files = []
  if (formats.some((format) => own.includes(format))) {
    say('Packing the app …')
    const app = await unpackedApp(runtime, output)
    if (formats.includes('tar.gz')) files.push(await buildTarball(app, output))
    if (formats.includes('deb')) files.push(await buildDeb(app, output))
  }
  const others = formats.filter((format) => downloaded.includes(format))
  if (others.length > 0) files.push(...(await build(others, runtime, output)))
  return files
}

/** Formats of this system that need tools to be downloaded. */
function defaultsHere() {
  return process.platform === 'darwin' ? ['dmg'] : ['nsis']
}
