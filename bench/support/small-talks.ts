import fs from 'node:fs'
import path from 'node:path'
import { createRandom } from './random'
import { createWriter } from './text'

/** Writes a home with so many conversations of a dozen entries each, an hour apart. The same for the same number. */
export function writeSmallTalks(folder: string, count: number): string {
  const home = path.join(folder, `home-${count}`)
  const random = createRandom(17)
  const writer = createWriter(random)
  for (let n = 0; n < count; n++) {
    const name = `talk-${n}`
    const lines = Array.from({ length: 12 }, (_, at) => {
      const isPerson = at % 2 === 0
      return JSON.stringify({
        id: `${String(n).padStart(8, '0')}-0000-4000-8000-${String(at).padStart(12, '0')}`,
        timestamp: 1_754_437_000 + n * 3600 + at * 60,
        from: isPerson ? 'user' : name,
        to: isPerson ? name : 'user',
        role: isPerson ? 'user' : 'agent',
        content: writer.text(isPerson ? 60 : 300),
        entry_type: 'message',
      })
    })
    const file = path.join(home, 'contexts', name, 'transcript', 'active.jsonl')
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, `${lines.join('\n')}\n`)
  }
  return home
}
