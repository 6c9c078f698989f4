import fs from 'node:fs'
import path from 'node:path'
import { root } from '../setup/project.mjs'
import { packageVersion } from './identity.mjs'

/** @typedef {import('../vite/bundled-packages.mjs').BundledPackage} BundledPackage */

/**
 * A bill of materials as CycloneDX 1.5 JSON (cyclonedx.org/docs/1.5/json): Skein, Electron, and every bundled package with
 * its licence and the hash that package-lock.json has of it. Without a time or a serial number: the same each time.
 * @param {readonly BundledPackage[]} packages
 * @param {string} electron its version
 */
export function sbomOf(packages, electron) {
  const hashes = lockedHashes()
  const version = packageVersion()
  const electronPart = {
    type: 'framework',
    'bom-ref': `electron@${electron}`,
    name: 'electron',
    version: electron,
    purl: `pkg:npm/electron@${electron}`,
    licenses: [{ license: { id: 'MIT' } }],
  }
  const components = packages.map(({ name, version, license }) => {
    const hash = hashes.get(`${name}@${version}`)
    return {
      type: 'library',
      'bom-ref': `${name}@${version}`,
      name,
      version,
      purl: `pkg:npm/${name.replace(/^@/, '%40')}@${version}`,
      licenses: [{ expression: license }],
      ...(hash === undefined ? {} : { hashes: [{ alg: 'SHA-512', content: hash }] }),
    }
  })
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `skein@${version}`,
        name: 'skein',
        version,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components: [electronPart, ...components],
  }
  return `${JSON.stringify(bom, undefined, 2)}\n`
}

/** SHA-512 of each locked package in hex, by `name@version`. */
function lockedHashes() {
  const lock = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  /** @type {Map<string, string>} */
  const hashes = new Map()
  for (const [place, entry] of Object.entries(lock.packages)) {
    const name = entry.name ?? place.slice(place.lastIndexOf('node_modules/') + 13)
    const encoded = /^sha512-(\S+)$/.exec(entry.integrity ?? '')?.[1]
    if (encoded !== undefined)
      hashes.set(`${name}@${entry.version}`, Buffer.from(encoded, 'base64').toString('hex'))
  }
  return hashes
}
