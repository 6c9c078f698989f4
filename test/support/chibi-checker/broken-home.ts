import { goodHome, type HomeFiles, writeHome } from './good-home'
import { checkHome, type HomeRules } from './home'

/** Writes the files of a home into an empty folder, and tells its faults. */
export function faultsIn(home: string, files: HomeFiles, rules?: HomeRules): readonly string[] {
  writeHome(home, files)
  return checkHome(home, rules)
}

export const active = 'contexts/garden/transcript/active.jsonl'
export const window = 'contexts/garden/context.jsonl'
export const manifest = 'contexts/garden/transcript/manifest.json'
export const partition = 'contexts/garden/transcript/partitions/1770000001-1770000004'
export const inbox = 'contexts/garden/inbox.jsonl'

/** The good home with one file changed. */
export const changed = (file: string, change: (text: string) => string | Uint8Array): HomeFiles => {
  const files = goodHome()
  return { ...files, [file]: change(String(files[file] ?? '')) }
}
/** With a line of the active partition changed, and the window's with it, so that nothing else is wrong. */
export const line = (from: string, to: string): HomeFiles => {
  const files = goodHome()
  for (const file of [active, window]) files[file] = String(files[file]).replace(from, to)
  return files
}
export const without = (file: string): HomeFiles => {
  const { [file]: _, ...rest } = goodHome()
  return rest
}
export const withFile = (file: string, content: string | Uint8Array): HomeFiles => ({
  ...goodHome(),
  [file]: content,
})
/** With lines of the active partition put elsewhere; the window is told to be built again. */
export const moved = (change: (lines: string[]) => string[]): HomeFiles => ({
  ...changed(active, (text) => change(text.split('\n').slice(0, -1)).join('\n').concat('\n')),
  'contexts/garden/.dirty': '',
})
