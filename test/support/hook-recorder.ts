import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

/** The hooks of chibi 0.5, in the order of its documentation. */
export const seventeen = [
  ...['on_start', 'on_end', 'pre_message', 'post_message', 'pre_tool', 'post_tool'],
  ...['pre_system_prompt', 'post_system_prompt', 'pre_send_message', 'post_send_message'],
  ...['on_context_switch', 'pre_clear', 'post_clear', 'pre_compact', 'post_compact'],
  ...['pre_rolling_compact', 'post_rolling_compact'],
] as const

/** Writes a plugin that takes down each of the seventeen in a file, and gives `update_todos` another text than the model does. */
export function recorder(log: string): string {
  const schema = {
    name: 'note_it',
    description: 'Takes note.',
    parameters: { type: 'object', properties: {} },
    hooks: seventeen,
  }
  return `#!/bin/sh
if [ "$1" = --schema ]; then
  cat <<'END'
${JSON.stringify(schema)}
END
elif [ -n "$CHIBI_HOOK" ]; then
  printf '{"point":"%s","data":%s}\\n' "$CHIBI_HOOK" "$CHIBI_HOOK_DATA" >> '${log}'
  case "$CHIBI_HOOK $CHIBI_HOOK_DATA" in
    pre_tool*update_todos*) echo '{"arguments":{"content":"- as the plugin wants"}}' ;;
  esac
  echo "heard $CHIBI_HOOK" >&2
else
  echo noted
fi
`
}

const Heard = z.object({ point: z.string(), data: z.record(z.string(), z.unknown()) })

/** Gives what was taken down since it was asked last. */
export function heardIn(log: string): () => readonly z.infer<typeof Heard>[] {
  let from = 0
  return () => {
    const lines = fs.existsSync(log) ? fs.readFileSync(log, 'utf8').trimEnd().split('\n') : []
    const fresh = lines.slice(from)
    from = lines.length
    return fresh.map((line) => Heard.parse(JSON.parse(line)))
  }
}

/** Row of the table of docs/plugins.md: what it says of a point, by column. */
export interface HookRow {
  readonly point: string
  readonly cells: Readonly<Record<string, string>>
}

/** Reads the table under "Where each is heard". */
export function hookTable(): readonly HookRow[] {
  const page = fs.readFileSync(path.resolve(import.meta.dirname, '../../docs/plugins.md'), 'utf8')
  const [, section = ''] = page.split('### Where each is heard\n')
  const rows = section
    .split('\n## ')[0]
    ?.split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const [head = [], , ...body] = rows ?? []
  return body.flatMap(([names = '', ...cells]) =>
    [...names.matchAll(/`([a-z_]+)`/g)].map(([, point = '']) => ({
      point,
      cells: Object.fromEntries(
        head.slice(1).map((name, index) => [name.replaceAll('`', ''), cells[index] ?? '']),
      ),
    })),
  )
}

/** Finds the points that are heard in a column, where its cell is "yes" or has a word. */
export function pointsIn(column: string, word?: string): ReadonlySet<string> {
  return new Set(
    hookTable()
      .filter(({ cells }) => {
        const cell = cells[column] ?? ''
        return cell === 'yes' || (word !== undefined && new RegExp(`\\b${word}\\b`).test(cell))
      })
      .map(({ point }) => point),
  )
}
