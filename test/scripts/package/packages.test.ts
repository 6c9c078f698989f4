import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { licencesOf } from '../../../scripts/package/bundled.mjs'
import { buildDeb, controlOf } from '../../../scripts/package/deb.mjs'
import { settle } from '../../../scripts/package/electron-builder.mjs'
import { writeIcons } from '../../../scripts/package/icons.mjs'
import { sbomOf } from '../../../scripts/package/sbom.mjs'
import { sumsOf } from '../../../scripts/package/sums.mjs'
import { buildTarball } from '../../../scripts/package/tarball.mjs'
import { packagesOf } from '../../../scripts/vite/bundled-packages.mjs'
import { tempFolders } from '../../support/temp-folder'

const root = path.resolve(import.meta.dirname, '../../..')
const packaging = path.join(root, 'packaging')
const { fusesOf } = createRequire(import.meta.url)(path.join(packaging, 'fuses.cjs'))

const tempFolder = tempFolders()

const has = (program: string) => spawnSync(program, ['--version']).status === 0

/** A folder as electron-builder leaves one, of a few small files. */
function smallApp(umask: number): string {
  const app = path.join(tempFolder(), 'Skein-linux-x64')
  const before = process.umask(umask)
  try {
    for (const [name, text] of [
      ['skein-window', 'the executable'],
      ['chrome-sandbox', 'the helper'],
      ['bin/skein', '#!/bin/sh\n'],
      ['resources/app.asar', 'the archive'],
    ] as const) {
      fs.mkdirSync(path.dirname(path.join(app, name)), { recursive: true })
      fs.writeFileSync(path.join(app, name), text)
    }
  } finally {
    process.umask(before)
  }
  settle(app)
  return app
}

describe('packages of the app', () => {
  it.runIf(has('tar'))('are the same bytes whoever makes them, and when: a .tar.gz', async () => {
    const made = await Promise.all(
      [0o022, 0o077].map((umask) => buildTarball(smallApp(umask), tempFolder())),
    )
    const [one, other] = made.map((file) => fs.readFileSync(file))

    expect(one?.equals(other ?? Buffer.alloc(0))).toBe(true)
    const names = execFileSync('tar', ['-tzf', made[0] ?? ''], { encoding: 'utf8' })
    expect(names.split('\n')).toContain('Skein-linux-x64/bin/skein')
  })

  it.runIf(has('dpkg-deb'))('are the same bytes whoever makes them, and when: a .deb', async () => {
    const made: string[] = []
    for (const umask of [0o022, 0o077]) made.push(await buildDeb(smallApp(umask), tempFolder()))
    const [one, other] = made.map((file) => fs.readFileSync(file))

    expect(one?.equals(other ?? Buffer.alloc(0))).toBe(true)
  })

  it.runIf(has('dpkg-deb'))(
    'put the command on the PATH, a menu entry that starts what is there, and nothing that runs at installing',
    async () => {
      const deb = await buildDeb(smallApp(0o077), tempFolder())
      const folder = tempFolder()
      execFileSync('dpkg-deb', ['--raw-extract', deb, folder])

      expect(fs.readdirSync(path.join(folder, 'DEBIAN'))).toEqual(['control'])
      expect(fs.realpathSync(path.join(folder, 'usr/bin/skein'))).toBe(
        fs.realpathSync(path.join(folder, 'opt/Skein/bin/skein')),
      )
      const entry = fs.readFileSync(
        path.join(folder, 'usr/share/applications/skein.desktop'),
        'utf8',
      )
      const exec = /^Exec=(\S+)/m.exec(entry)?.[1] ?? ''
      expect(fs.statSync(path.join(folder, exec)).mode & 0o7777).toBe(0o755)
      expect(fs.statSync(path.join(folder, 'opt/Skein/chrome-sandbox')).mode & 0o7777).toBe(0o4755)
      expect(fs.statSync(path.join(folder, 'opt/Skein/resources/app.asar')).mode & 0o7777).toBe(
        0o644,
      )
      // Files and links, several at once; no kind that another program is there for.
      expect(entry).toMatch(/^Exec=\S+ %U$/m)
      const kinds = /^MimeType=(.*)$/m.exec(entry)?.[1]?.split(';')
      expect(kinds).toEqual(['x-scheme-handler/skein', 'application/x-skein-conversation', ''])
      const own = fs.readFileSync(path.join(folder, 'usr/share/mime/packages/skein.xml'), 'utf8')
      expect(own.match(/(?<=type=")application[^"]*|(?<=pattern=")[^"]*/g)).toEqual([
        'application/x-skein-conversation',
        '*.skein.jsonl',
      ])
      const icon = /^Icon=(\S+)/m.exec(entry)?.[1]
      expect(
        fs.existsSync(path.join(folder, `usr/share/icons/hicolor/256x256/apps/${icon}.png`)),
      ).toBe(true)
    },
  )

  it('name the libraries of the executable by both of Debian’s names', () => {
    const control = controlOf('1.2.3', 'amd64', 42)

    expect(control).toContain('\nDepends: libasound2t64 | libasound2, ')
    expect(control).toContain(', libgtk-3-0t64 | libgtk-3-0, ')
    // deb-control(5): each line is a field or goes on with the one before, and the last one ends.
    expect(control).toMatch(/^(?:[A-Z][A-Za-z-]*: \S.*\n(?: \S.*\n)*)+$/)
  })

  it('close what Electron leaves open, as far as a version has a fuse for it', () => {
    const common = {
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      onlyLoadAppFromAsar: true,
    }
    expect(fusesOf('linux', 25)).toMatchObject({ ...common, runAsNode: true })
    expect(fusesOf('linux', 25)).not.toHaveProperty('grantFileProtocolExtraPrivileges')
    for (const platform of ['darwin', 'win32'])
      expect(fusesOf(platform, 45)).toMatchObject({
        ...common,
        runAsNode: false,
        enableEmbeddedAsarIntegrityValidation: true,
        grantFileProtocolExtraPrivileges: false,
      })
  })

  it('have icons of the sizes that their names say', () => {
    const icons = fs.readdirSync(path.join(packaging, 'icons')).filter((name) => /png$/.test(name))
    const sizes = icons.map((name) => {
      const bytes = fs.readFileSync(path.join(packaging, 'icons', name))
      return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}.png` // the IHDR chunk comes first
    })

    expect(sizes).toEqual(icons)
    expect(sizes).toContain('512x512.png')
  })

  it('have the same pictures for macOS and Windows, where their systems look for each size', () => {
    const folder = tempFolder()
    writeIcons(folder)
    const png = (size: number) => fs.readFileSync(path.join(packaging, `icons/${size}x${size}.png`))
    const icns = fs.readFileSync(path.join(folder, 'icon.icns'))
    expect(icns.readUInt32BE(4)).toBe(icns.length)
    const parts = new Map<string, Buffer>()
    for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4))
      parts.set(
        icns.toString('latin1', at, at + 4),
        icns.subarray(at + 8, at + icns.readUInt32BE(at + 4)),
      )
    expect(parts.get('ic07')?.equals(png(128))).toBe(true)
    expect(parts.get('ic14')?.equals(png(512))).toBe(true)
    expect(parts.size).toBe(9)

    const ico = fs.readFileSync(path.join(folder, 'icon.ico'))
    const images = Array.from({ length: ico.readUInt16LE(4) }, (_, at) => {
      const row = 6 + 16 * at
      const [length, offset] = [ico.readUInt32LE(row + 8), ico.readUInt32LE(row + 12)]
      return { side: ico.readUInt8(row) || 256, bytes: ico.subarray(offset, offset + length) }
    })
    expect(images.map(({ side }) => side)).toEqual([16, 24, 32, 48, 64, 128, 256])
    for (const { side, bytes } of images) expect(bytes.equals(png(side))).toBe(true)
  })
})

describe('the list of what is inside', () => {
  it('names each package once, with its licence, from the modules that were bundled', () => {
    const katex = path.join(root, 'node_modules/katex/dist/katex.mjs')
    const scoped = path.join(root, 'node_modules/@tanstack/react-virtual/dist/esm/index.js')
    const found = packagesOf([
      katex,
      `${katex}?used`,
      `\0${scoped}`,
      'vite/preload-helper',
      import.meta.filename,
    ])

    expect(found.map(({ name, license }) => [name, license])).toEqual([
      ['@tanstack/react-virtual', 'MIT'],
      ['katex', 'MIT'],
    ])
    expect(found[1]?.words).toContain('Khan Academy')
  })

  it('has the text of a licence that a package names and does not bring', () => {
    const [found] = packagesOf([path.join(root, 'node_modules/@sqlite.org/sqlite-wasm/dist/x.js')])

    expect(found?.license).toBe('Apache-2.0')
    expect(found?.words).toMatch(/^Copyright \(c\) .+\n\nApache License\n/)
  })

  it('is CycloneDX, with the hash that the lock has of a package, and the same each time', () => {
    const { version } = JSON.parse(
      fs.readFileSync(path.join(root, 'node_modules/katex/package.json'), 'utf8'),
    )
    const katex = { name: 'katex', version, license: 'MIT', words: '' }
    const lock = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
    const { integrity } = lock.packages['node_modules/katex']
    const text = sbomOf([katex], '45.5.0')
    const bom = JSON.parse(text)

    expect(sbomOf([katex], '45.5.0')).toBe(text)
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' })
    expect(bom.components.map((each: { purl: string }) => each.purl)).toEqual([
      'pkg:npm/electron@45.5.0',
      `pkg:npm/katex@${version}`,
    ])
    const [hash] = bom.components[1].hashes
    expect(`sha512-${Buffer.from(hash.content, 'hex').toString('base64')}`).toBe(integrity)
  })

  it('has the licence of every package, one text once, and says where there is none', () => {
    const packages = ['one', 'two', 'three'].map((name) => ({
      name,
      version: '1.0.0',
      license: 'MIT',
      words: name === 'three' ? '' : 'Permission is hereby granted',
    }))

    expect(licencesOf(packages)).toBe(
      `one 1.0.0 (MIT)\ntwo 1.0.0 (MIT)\n\nPermission is hereby granted\n\n${'-'.repeat(78)}\n\n` +
        'three 1.0.0 (MIT)\n\n(MIT; the package has no text of it)\n',
    )
  })

  it.runIf(has('sha256sum'))('has sums that sha256sum accepts', async () => {
    const folder = tempFolder()
    fs.writeFileSync(path.join(folder, 'one'), 'first')
    fs.writeFileSync(path.join(folder, 'two'), 'second')
    const sums = await sumsOf([path.join(folder, 'two'), path.join(folder, 'one')])
    fs.writeFileSync(path.join(folder, 'SHA256SUMS'), sums)

    expect(execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' })).toBe(
      'one: OK\ntwo: OK\n',
    )
  })
})

it('times of packed files are what SOURCE_DATE_EPOCH says, where it says one', async () => {
  const { sourceTime } = await import('../../../scripts/package/source-time.mjs')
  vi.stubEnv('SOURCE_DATE_EPOCH', '1700000000')
  try {
    expect(sourceTime()).toBe(1_700_000_000)
  } finally {
    vi.unstubAllEnvs()
  }
})
