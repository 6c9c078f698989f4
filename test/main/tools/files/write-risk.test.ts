import { describe, expect, it } from 'vitest'
import { writeRisk } from '../../../../src/main/tools/files/write-risk'

const linux = { ownFolder: '/home/person', platform: 'linux' } as const
const of = (real: string, more: { beginning?: string; isProgram?: boolean } = {}) =>
  writeRisk({ real, beginning: '', isProgram: false, ...more }, linux)

describe('a file that is written', () => {
  it.each([
    '/home/person/notes/plan.md',
    '/home/person/code/skein/src/main.ts',
    '/home/person/code/site/app.js',
    '/home/person/code/tool.py',
    '/home/person/code/Makefile',
    '/home/person/plan..md',
    '/home/person/code/bin/data.json',
    '/home/person/Library/books/a.md',
    '/tmp/work/a.md',
    '/var/tmp/work/a.md',
    '/mnt/disk/notes/a.md',
    '/variety/a.md',
  ])('is words that wait to be read: %s', (file) => {
    expect(of(file)).toBeUndefined()
  })

  it.each([
    '/home/person/.bashrc',
    '/home/person/.ssh/authorized_keys',
    '/home/person/.config/autostart/a.txt',
    '/home/person/code/.git/hooks/pre-commit',
    '/home/person/code/.vscode/tasks.json',
    '/home/person/code/.envrc',
    '/home/person/bin/ls',
    '/home/person/code/a.desktop',
    '/home/person/code/A.BAT',
    '/home/person/code/deploy.sh',
    '/tmp/.hidden/a.md',
    '/etc/cron.d/a',
    '/usr/local/share/a',
    '/var/spool/cron/person',
    '/root/a',
    '/Library/LaunchDaemons/a',
  ])('is more than words: %s', (file) => {
    expect(of(file)).toMatch(/^[A-Z].*\.$/)
  })

  it('is more than words in the folders from which a Mac starts programs', () => {
    const mac = { ownFolder: '/Users/person', platform: 'darwin' } as const
    const file = { beginning: '', isProgram: false }
    const agents = '/Users/person/Library/LaunchAgents/a.txt'
    expect(writeRisk({ ...file, real: agents }, mac)).toMatch(/runs programs/)
    expect(writeRisk({ ...file, real: '/Users/person/notes/a.md' }, mac)).toBeUndefined()
    expect(writeRisk({ ...file, real: '/private/var/folders/x/a.md' }, mac)).toBeUndefined()
  })

  it('is more than words where it is a program, or a script by its first characters', () => {
    expect(of('/home/person/code/tool', { isProgram: true })).toMatch(/program/)
    expect(of('/home/person/code/tool', { beginning: '#!' })).toMatch(/script/)
    expect(of('/home/person/code/tool', { beginning: '# ' })).toBeUndefined()
  })

  it('may lie in the own folder of root, or of another disk, and in no system folder for that', () => {
    const root = { ownFolder: '/root', platform: 'linux' } as const
    const file = { beginning: '', isProgram: false }
    expect(writeRisk({ ...file, real: '/root/notes/a.md' }, root)).toBeUndefined()
    expect(writeRisk({ ...file, real: '/root/.profile' }, root)).toMatch(/hidden file of your home/)
  })
})
