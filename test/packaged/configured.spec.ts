import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, it } from 'vitest'
import { runElectronBuilder } from '../../scripts/package/electron-builder.mjs'
import { root } from '../../scripts/setup/project.mjs'
import { tempFolders } from '../support/temp-folder'

// Formats that cannot be made here are made as far as they can: up to the app's folder, from an Electron that has the right names and
// nothing in it. What is behind that (the disk image, the installer, signatures) needs tools that electron-builder downloads.

const temp = tempFolders()
const electron = '45.5.0'
const packaging = path.join(root, 'packaging')
const load = createRequire(path.join(packaging, 'package.json'))

/** Electron's table of fuses as an executable has it: a mark, a version, a length, and one sign for each. */
const fuses = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 9]),
  Buffer.from('011100100'),
])

function write(file: string, content: string | Buffer = ''): void {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, content)
}

function macApp(folder: string, name: string): void {
  const keys = { CFBundleIdentifier: 'x', CFBundleExecutable: name, CFBundleName: name }
  const pairs = Object.entries(keys).map(
    ([key, value]) => `<key>${key}</key><string>${value}</string>`,
  )
  const words = `<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>${pairs.join('')}</dict></plist>`
  write(path.join(folder, 'Contents/Info.plist'), words)
  write(path.join(folder, 'Contents/MacOS', name))
  fs.mkdirSync(path.join(folder, 'Contents/Resources'), { recursive: true })
}

function emptyMacElectron(): string {
  const dist = temp()
  const app = path.join(dist, 'Electron.app')
  macApp(app, 'Electron')
  const frameworks = path.join(app, 'Contents/Frameworks')
  for (const kind of ['', ' (GPU)', ' (Renderer)', ' (Plugin)'])
    macApp(path.join(frameworks, `Electron Helper${kind}.app`), `Electron Helper${kind}`)
  const framework = path.join(frameworks, 'Electron Framework.framework')
  write(path.join(framework, 'Electron Framework'), fuses)
  for (const place of ['Resources', 'Versions/A/Resources'])
    write(path.join(framework, place, 'en.lproj/locale.pak'))
  return dist
}

function emptyWindowsElectron(): string {
  const dist = temp()
  // Any program whose resources can be edited.
  const vendor = path.join(path.dirname(load.resolve('electron-winstaller/package.json')), 'vendor')
  const program = fs.readFileSync(path.join(vendor, '7z-x64.exe'))
  write(path.join(dist, 'electron.exe'), Buffer.concat([program, fuses]))
  write(path.join(dist, 'locales/en-US.pak'))
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'ffmpeg.dll'])
    write(path.join(dist, name))
  fs.mkdirSync(path.join(dist, 'resources'))
  return dist
}

it('makes the app of macOS: with its links and kinds of files, which it offers to open and takes from nobody', async () => {
  const output = temp()
  const dist = emptyMacElectron()
  await runElectronBuilder(['--mac', 'dir'], { platform: 'darwin', electron, output, dist })
  const [folder = ''] = fs.readdirSync(output).filter((name) => name.startsWith('mac'))
  const contents = path.join(output, folder, 'Skein.app/Contents')
  const words = fs.readFileSync(path.join(contents, 'Info.plist'), 'utf8')
  const { parse } = load('plist')
  const info = parse(words)
  expect(info).toMatchObject({
    CFBundleIdentifier: 'app.skein',
    CFBundleURLTypes: [{ CFBundleURLSchemes: ['skein'] }],
    CFBundleDocumentTypes: [
      { CFBundleTypeExtensions: ['jsonl', 'ndjson'] },
      { CFBundleTypeExtensions: ['zip', 'json'] },
    ],
    ElectronAsarIntegrity: { 'Resources/app.asar': { algorithm: 'SHA256' } },
  })
  for (const type of info.CFBundleDocumentTypes)
    expect(type).toMatchObject({ CFBundleTypeRole: 'Viewer', LSHandlerRank: 'Alternate' })
  const icon = fs.readFileSync(path.join(contents, 'Resources/icon.icns'))
  expect(icon.subarray(0, 4).toString('latin1')).toBe('icns')
  const framework = path.join(contents, 'Frameworks/Electron Framework.framework')
  const set = fs.readFileSync(path.join(framework, 'Electron Framework')).subarray(34).toString()
  // The first is that it runs as Node.
  expect(set).toMatch(/^0/)
  expect(set).not.toBe(fuses.subarray(34).toString())
})

it('makes the app of Windows: an executable with the name, the icon and the hash of the archive', async () => {
  const output = temp()
  const dist = emptyWindowsElectron()
  await runElectronBuilder(['--win', 'dir'], { platform: 'win32', electron, output, dist })
  const app = path.join(output, 'win-unpacked')
  const bytes = fs.readFileSync(path.join(app, 'Skein.exe'))
  expect(bytes.includes(Buffer.from('Skein', 'utf16le'))).toBe(true)
  expect(bytes.includes(Buffer.from('resources\\\\app.asar'))).toBe(true)
  const [icon] = [fs.readFileSync(path.join(packaging, 'icons/256x256.png'))]
  expect(bytes.includes(icon ?? '')).toBe(true)
  expect(fs.existsSync(path.join(app, 'resources/app.asar'))).toBe(true)
})

it.each([
  ['linux', 'AppImage'],
  ['darwin', 'dmg'],
  ['win32', 'nsis'],
])('is configured for %s as electron-builder understands it, with %s', async (platform, target) => {
  const before = process.env.SKEIN_PACKAGE
  process.env.SKEIN_PACKAGE = JSON.stringify({ platform, electron, output: temp(), icons: temp() })
  const file = path.join(packaging, 'electron-builder.cjs')
  try {
    const config = load(file)
    const { validateConfiguration } = load('app-builder-lib/out/util/config/config')
    const { DebugLogger } = load('builder-util')
    await validateConfiguration(config, new DebugLogger(true))
    await expect(
      validateConfiguration({ ...config, unknown: 1 }, new DebugLogger(true)),
    ).rejects.toThrow('unknown')
    // Nothing is published, and no feed of updates is in the package unless one is named.
    expect(config.publish).toBeNull()
    expect(config.linux.mimeTypes).toEqual(['application/x-skein-conversation'])
    const include = config.nsis.include
    if (target === 'nsis') expect(fs.readFileSync(include, 'utf8')).not.toContain('APP_ASSOCIATE')
  } finally {
    delete load.cache[file]
    if (before === undefined) delete process.env.SKEIN_PACKAGE
    else process.env.SKEIN_PACKAGE = before
  }
})
