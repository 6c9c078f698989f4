import fs from 'node:fs'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { doctorCommand } from '../../../../src/cli/commands/homes/doctor'
import { run } from '../../../cli/run'
import { homeToDamage } from '../../../support/damaged-home'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)

async function prepared() {
  const folder = fs.realpathSync(temp())
  const home = await homeToDamage(folder)
  const user = path.join(folder, 'config/Skein')
  const put = (name: string, text: string, mode = 0o600) => {
    const file = path.join(user, name)
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    fs.writeFileSync(file, text)
    fs.chmodSync(file, mode)
    return file
  }
  const doctor = async (...words: readonly string[]) => {
    const argv = ['--home', home, '--json', ...words]
    const more = { config: path.join(folder, 'config'), cache: path.join(folder, 'cache') }
    const { code, out } = await run(doctorCommand, argv, more)
    const value = JSON.parse(out)
    const found: readonly string[] = value.findings.map(
      ({ kind, place }: { kind: string; place: string }) =>
        `${kind} ${place.replace(`${user}/`, '')}`,
    )
    return { code, found, value }
  }
  return { home, user, put, doctor }
}

it('finds nothing wrong with whole files, closed ones, and a folder that is not there', async () => {
  const { user, put, doctor } = await prepared()
  expect(await doctor()).toMatchObject({ code: 0, found: [] })
  put(
    'titles.json',
    '{"titles": [{"key": "cycod:a", "title": "A", "by": "person", "at": 1}]}',
    0o644,
  )
  put('keys', 'secret')
  put('imports/a.zip', 'PK', 0o644)
  put('backups/cycod-0123456789ab/place.json', '{"source":"cycod","path":"/a","isFile":false}')
  const seal = JSON.stringify({ file: 'now/a', bytes: 1, sha256: 'f' })
  put('backups/cycod-0123456789ab/seals.jsonl', `${seal.slice(0, 30)}\n${seal}\n`)
  put('homes/0a/window.json', '{"width":1}')
  put('homes/0a/quick-entry.json', '{"id":"an-id","text":"","sending":{"key":"a","text":"b"}}')
  // Nobody else can enter it.
  expect(fs.statSync(user).mode & 0o777).toBe(0o700)
  expect(await doctor()).toMatchObject({ code: 0, found: [] })
})

it('finds what is broken among the files for the user, and mends the lists from what is whole', async () => {
  const { user, put, doctor } = await prepared()
  const whole = { key: 'cycod:a', title: 'Tulips', by: 'person', at: 1 }
  const text = `{"titles": [${JSON.stringify(whole)}, {"key": "cycod:b", "tit`
  put('titles.json', text)
  put(
    'labels.json',
    '{"labels": [{"key": "cycod:a", "entry": "e", "word": "look", "color": "red", "at": 1}',
  )
  put('settings.json', '{\n  "model": "m",\n  "provider" "endpoint"\n}\n')
  put(`trusted-plugins/${'0a'.repeat(16)}.json`, '{"version":1,"plugins":[]}')
  put('home.json', '[]')
  put('homes/0a/quick-entry.json', '{"id":"an-id","text":"Tul')
  put('backups/cycod-0123456789ab/place.json', '{')
  put('backups/cycod-0123456789ab/seals.jsonl', 'no seal\n')
  const { code, found, value } = await doctor()
  expect([code, found]).toEqual([
    1,
    [
      'titles-damaged titles.json',
      'labels-damaged labels.json',
      'settings-damaged settings.json:3',
      'own-damaged backups/cycod-0123456789ab/place.json',
      'own-damaged backups/cycod-0123456789ab/seals.jsonl',
      'own-damaged home.json',
      'own-damaged homes/0a/quick-entry.json',
      `own-damaged trusted-plugins/${'0a'.repeat(16)}.json`,
    ],
  ])
  expect(value.findings[2].happened).toMatch(/at line 3, column 14;/)
  const repaired = await doctor('--repair')
  expect(repaired.value.failed).toEqual([])
  expect(repaired.found).toEqual(found.slice(2))
  const titles = JSON.parse(fs.readFileSync(path.join(user, 'titles.json'), 'utf8'))
  expect(titles).toEqual({ titles: [whole] })
  expect(fs.readFileSync(path.join(user, 'titles.json.damaged-1'), 'utf8')).toBe(text)
  const labels = JSON.parse(fs.readFileSync(path.join(user, 'labels.json'), 'utf8'))
  expect(labels.labels).toMatchObject([{ word: 'look' }])
})

it('counts items of lists that mean nothing, in the home too, and leaves them', async () => {
  const { home, put, doctor } = await prepared()
  put(
    'titles.json',
    '{"titles": [7, {"key": "cycod:a", "in_folder": true}], "rows": [{"color": "red"}]}',
  )
  fs.writeFileSync(path.join(home, 'labels.skein.json'), '{"labels": [{"word": "lone"}]}')
  const { found, value } = await doctor()
  expect(found).toEqual(['reading-odd titles.json', 'reading-odd labels.skein.json'])
  expect(value.findings[0].happened).toBe(
    '2 items of it mean nothing to this Skein, and stay as they are.',
  )
  expect(value.findings[1]).toMatchObject({ repair: null })
})

it('says that a file cannot be read, and looks at the others', async () => {
  const { user, put, doctor } = await prepared()
  put('labels.json', '{')
  fs.mkdirSync(path.join(user, 'titles.json'))
  expect((await doctor()).found).toEqual(['unreadable titles.json', 'labels-damaged labels.json'])
})

it.skipIf(process.platform === 'win32')(
  'finds files that other users can read, where they can, and closes them',
  async () => {
    const { user, put, doctor } = await prepared()
    put('keys', 'secret', 0o640)
    put('settings.json', '{}', 0o644)
    put('imports/a.zip', 'PK', 0o644)
    expect((await doctor()).found).toEqual(['open-to-others keys'])
    fs.chmodSync(user, 0o755)
    fs.chmodSync(path.join(user, 'imports'), 0o755)
    expect((await doctor()).found).toEqual([
      'open-to-others imports',
      'open-to-others keys',
      'open-to-others settings.json',
    ])
    const { code, found, value } = await doctor('--repair')
    expect([code, found, value.failed]).toEqual([0, [], []])
    const modeOf = (name: string) => fs.statSync(path.join(user, name)).mode & 0o777
    expect(['keys', 'settings.json', 'imports', 'imports/a.zip'].map(modeOf)).toEqual([
      0o600, 0o640, 0o750, 0o644,
    ])
  },
)

it.skipIf(process.platform === 'win32')(
  'tells a link to what other users can read, names it, and changes nothing behind it',
  async () => {
    const { home, user, doctor } = await prepared()
    const outside = path.join(path.dirname(home), 'elsewhere')
    fs.mkdirSync(user, { recursive: true, mode: 0o700 })
    fs.writeFileSync(outside, 'secret')
    fs.chmodSync(outside, 0o644)
    fs.symlinkSync(outside, path.join(user, 'keys'))
    const { found, value } = await doctor('--repair')
    expect(found).toEqual(['open-to-others keys'])
    expect(value.findings[0]).toMatchObject({
      happened: `It is a link to ${outside}, whose permissions let every user of this computer at it.`,
      repair: null,
    })
    expect(fs.statSync(outside).mode & 0o777).toBe(0o644)
  },
)

it.skipIf(process.platform === 'win32')(
  'counts a permission that cannot be taken as one failed repair, and makes the others',
  async () => {
    const { user, put, doctor } = await prepared()
    put('keys', 'secret', 0o644)
    put('keys-2', 'secret', 0o644)
    const refused = fs.statSync(path.join(user, 'keys')).ino
    const change = fs.fchmodSync
    const spy = vi.spyOn(fs, 'fchmodSync').mockImplementation((descriptor, mode) => {
      if (fs.fstatSync(descriptor).ino === refused)
        throw Object.assign(new Error('EPERM'), { code: 'EPERM' })
      change(descriptor, mode)
    })
    try {
      const { found, value } = await doctor('--repair')
      expect(found).toEqual(['open-to-others keys'])
      expect(value.failed).toMatchObject([
        { why: expect.stringMatching(/keys cannot be used: permission denied/) },
      ])
      expect(value.stopped ?? null).toBeNull()
    } finally {
      spy.mockRestore()
    }
  },
)
