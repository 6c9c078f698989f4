import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { bundled } from '../../support/bundled'
import { openTestHome, placesIn } from '../../support/home'
import { tempFolders } from '../../support/temp-folder'

const temp = tempFolders()
const worker = bundled('src/main/library/statistics/statistics.worker.ts')

const line = (n: number) =>
  `${JSON.stringify({
    id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    timestamp: 1_770_000_000 + n,
    from: 'user',
    to: 'garden',
    content: `Question ${n}`,
    entry_type: 'message',
  })}\n`

it('a home counts what another program writes, also into a context that nobody has open', async () => {
  const folder = temp()
  const file = path.join(placesIn(folder).home, 'contexts/garden/transcript/active.jsonl')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, line(1))
  let changes = 0
  const home = await openTestHome(folder, {
    workers: { statistics: worker() },
    events: {
      statisticsChanged: () => {
        changes += 1
      },
    },
  })
  const total = async () => (await home.statistics.read({ filter: {} })).statistics.entries.total
  await expect.poll(total).toBe(1)
  expect(changes).toBeGreaterThan(0)
  fs.appendFileSync(file, line(2))
  await expect.poll(total).toBe(2)
  await home.close()
})
