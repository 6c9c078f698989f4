import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')

interface LockedPackage {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly hasInstallScript?: boolean
}

/** Packages of Skein, and of the tools that make its packages. */
const locked = ['', 'packaging'].flatMap((folder) => {
  const file = path.join(root, folder, 'package-lock.json')
  const packages: Record<string, LockedPackage> = JSON.parse(fs.readFileSync(file, 'utf8')).packages
  return Object.entries(packages)
    .filter(([place]) => place !== '')
    .map(([place, entry]) => [path.posix.join(folder, place), entry] as const)
})

/** Packages that have an install script. None is run; each new one is looked at before it is listed. */
const withInstallScripts = [
  'node_modules/electron-25-types',
  'packaging/node_modules/electron-winstaller',
]

it('each locked package has a digest, and comes from the registry that is asked, not from an address of its own', () => {
  expect(locked.length).toBeGreaterThan(100)
  const odd = locked.filter(
    ([, { integrity, link, version }]) =>
      link === true || !/^sha512-[\w+/]{86}==$/.test(integrity ?? '') || !/^\d/.test(version ?? ''),
  )
  expect(odd).toEqual([])
  const hosts = locked.flatMap(([, { resolved }]) => resolved ?? [])
  expect(hosts.filter((address) => !address.startsWith('https://registry.npmjs.org/'))).toEqual([])
})

it('no package has an install script that is not known', () => {
  const found = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true)
  expect(found.map(([place]) => place)).toEqual(withInstallScripts)
})

it('npm takes exact versions, none of the last days, and runs nothing of them', () => {
  const read = (folder: string) => fs.readFileSync(path.join(root, folder, '.npmrc'), 'utf8')
  expect(read('packaging')).toBe(read(''))
  const settings = read('').trim().split('\n')
  expect(settings).toEqual(
    expect.arrayContaining([
      'save-exact=true',
      'ignore-scripts=true',
      'min-release-age=3',
      'omit-lockfile-registry-resolved=true',
    ]),
  )
})

it('package.json names exact versions alone', () => {
  const { dependencies = {}, devDependencies } = JSON.parse(
    fs.readFileSync(path.join(root, 'package.json'), 'utf8'),
  )
  const loose = Object.entries<string>({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^(npm:[^@]+@)?\d+\.\d+\.\d+[\w.-]*$/.test(version),
  )
  expect(loose).toEqual([])
})
