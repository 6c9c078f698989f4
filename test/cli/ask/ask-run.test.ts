import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { checkAsk } from '../../../src/cli/ask/ask-run'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { openSettings } from '../../../src/main/settings/settings'
import { AppError } from '../../../src/shared/model/basics/errors'
import { tempFolders } from '../../support/temp-folder'

const temp = tempFolders()

it('says what of the settings is not understood, but nothing of keys, which the window has alone', async () => {
  const folder = temp()
  fs.writeFileSync(
    path.join(folder, 'settings.json'),
    '{"preferences": {"theme": "plaid", "keys": {"no-such-command": "F9", "map": 7}}}',
  )
  const settings = openSettings({
    disk: nodeDisk,
    home: path.join(folder, 'home'),
    folder,
    vault: { strength: () => 'none', get: async () => undefined, set: async () => undefined },
    environment: {},
  })
  const notes: string[] = []
  // There is no model to ask, which is said last.
  await expect(
    checkAsk('garden', {}, settings, (words) => void notes.push(words)),
  ).rejects.toBeInstanceOf(AppError)
  expect(notes).toEqual(['skein: settings.json: theme has an unknown value.'])
})
