import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A package whose code is in the app.
 * @typedef {object} BundledPackage
 * @property {string} name
 * @property {string} version
 * @property {string} license as its package.json says, an SPDX expression
 * @property {string} words its licence file's text; empty where it has none
 */

/** File that each part of the build lists its packages in. */
export const bundledName = 'bundled.json'

/** Texts of licences, for packages that name one and bring none. */
const texts = fileURLToPath(new URL('./licences', import.meta.url))

/** Plugin of the build of workers, which are bundled apart: gathers their modules for the part of the app that starts them. */
export function modulesOfWorkers(/** @type {Set<string>} */ modules) {
  return {
    name: 'modules-of-workers',
    /** @this {{ getModuleIds(): Iterable<string> }} */
    generateBundle() {
      for (const id of this.getModuleIds()) modules.add(id)
    },
  }
}

/**
 * Plugin of the build that lists the packages whose modules are in a part of the app (main, preload, page), in
 * `bundled.json` beside it: what is bundled is known to the bundler alone.
 * @param {ReadonlySet<string>} [ofWorkers] modules of its workers, which are bundled before it
 */
export function bundledPackages(ofWorkers = new Set()) {
  return {
    name: 'bundled-packages',
    /**
     * @this {{ emitFile(file: { type: 'asset', fileName: string, source: string }): unknown, getModuleIds(): Iterable<string> }}
     */
    generateBundle() {
      const source = `${JSON.stringify(packagesOf([...this.getModuleIds(), ...ofWorkers]), undefined, 1)}\n`
      this.emitFile({ type: 'asset', fileName: bundledName, source })
    },
  }
}

/**
 * The packages that modules come from, each once, by name.
 * @param {Iterable<string>} modules files, as the bundler names them
 * @returns {readonly BundledPackage[]}
 */
export function packagesOf(modules) {
  const folders = new Set()
  for (const id of modules) {
    const file = id.replace(/^\0/, '').replace(/\?.*$/, '')
    const folder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(file)?.[0]
    if (folder !== undefined && path.isAbsolute(folder)) folders.add(folder)
  }
  const packages = [...folders].map(read).filter((each) => each !== undefined)
  return packages.sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1))
}

/**
 * @param {string} folder
 * @returns {BundledPackage | undefined}
 */
function read(folder) {
  const file = path.join(folder, 'package.json')
  if (!fs.existsSync(file)) return undefined
  const { name, version, license, author } = JSON.parse(fs.readFileSync(file, 'utf8'))
  const words = fs
    .readdirSync(folder)
    .filter((each) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(each))
    .sort()
    .map((each) => fs.readFileSync(path.join(folder, each), 'utf8').trim())
  const text = words.join('\n\n') || textOf(licenseOf(license), author)
  return { name, version, license: licenseOf(license), words: text }
}

/**
 * The text of a licence, below who holds the rights; empty for a licence whose text is not here.
 * @param {string} license
 * @param {{ name?: string } | string | undefined} author
 */
function textOf(license, author) {
  const file = path.join(texts, `${license}.txt`)
  if (!/^[\w.-]+$/.test(license) || !fs.existsSync(file)) return ''
  const holder = typeof author === 'string' ? author : author?.name
  const text = fs.readFileSync(file, 'utf8').trim()
  return holder === undefined ? text : `Copyright (c) ${holder}\n\n${text}`
}

/** @param {unknown} license a name, or, as long ago, an object with one */
function licenseOf(license) {
  if (typeof license === 'string') return license
  const type = /** @type {{ type?: unknown } | undefined} */ (license)?.type
  return typeof type === 'string' ? type : 'NOASSERTION'
}
