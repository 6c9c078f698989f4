import { describe, expect, it } from 'vitest'
import { riskOf } from '../../../src/main/tools/risk'

const linux = { ownFolder: '/home/ada', platform: 'linux' } as const
const of = (real: string, more: { beginning?: string; isProgram?: boolean } = {}) =>
  riskOf({ real, beginning: '', isProgram: false, ...more }, linux)

describe('a file that is written', () => {
  it.each([
    '/home/ada/notes/plan.md',
    '/home/ada/work/skein/src/main.ts',
    '/home/ada/work/site/app.js',
    '/home/ada/work/tool.py',
    '/home/ada/work/Makefile',
    '/home/ada/plan..md',
    '/home/ada/work/bin/data.json',
    '/home/ada/Library/books/a.md',
    '/tmp/work/a.md',
    '/var/tmp/work/a.md',
    '/mnt/disk/notes/a.md',
    '/variety/a.md',
  ])('is words that wait to be read: %s', (file) => {
    expect(of(file)).toBeUndefined()
  })

  it.each([
    '/home/ada/.bashrc',
    '/home/ada/.ssh/authorized_keys',
    '/home/ada/.config/autostart/a.txt',
    '/home/ada/work/.git/hooks/pre-commit',
    '/home/ada/work/.vscode/tasks.json',
    '/home/ada/work/.envrc',
    '/home/ada/bin/ls',
    '/home/ada/work/a.desktop',
    '/home/ada/work/A.BAT',
    '/home/ada/work/deploy.sh',
    '/tmp/.hidden/a.md',
    '/etc/cron.d/a',
    '/usr/local/share/a',
    '/var/spool/cron/ada',
    '/root/a',
    '/Library/LaunchDaemons/a',
  ])('is more than words: %s', (file) => {
    expect(of(file)).toMatch(/^[A-Z].*\.$/)
  })

  it('is more than words in the folders from which a Mac starts programs', () => {
    const mac = { ownFolder: '/Users/ada', platform: 'darwin' } as const
    const file = { beginning: '', isProgram: false }
    const agents = '/Users/ada/Library/LaunchAgents/a.txt'
    expect(riskOf({ ...file, real: agents }, mac)).toMatch(/runs programs/)
    expect(riskOf({ ...file, real: '/Users/ada/notes/a.md' }, mac)).toBeUndefined()
    expect(riskOf({ ...file, real: '/private/var/folders/x/a.md' }, mac)).toBeUndefined()
  })

  it('is more than words where it is a program, or a script by its first characters', () => {
    expect(of('/home/ada/work/tool', { isProgram: true })).toMatch(/program/)
    expect(of('/home/ada/work/tool', { beginning: '#!' })).toMatch(/script/)
    expect(of('/home/ada/work/tool', { beginning: '# ' })).toBeUndefined()
  })

  it('may lie in the own folder of root, or of another disk, and in no system folder for that', () => {
    const root = { ownFolder: '/root', platform: 'linux' } as const
    const file = { beginning: '', isProgram: false }
    expect(riskOf({ ...file, real: '/root/notes/a.md' }, root)).toBeUndefined()
    expect(riskOf({ ...file, real: '/root/.profile' }, root)).toMatch(/hidden file of your home/)
  })
})
