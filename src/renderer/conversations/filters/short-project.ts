import { visibleText } from '../../../shared/model/basics/visible'

/** Returns the last part of a project's path, as people call it. */
export function shortProject(path: string): string {
  const parts = path.split(/[/\\]/).filter(Boolean)
  return visibleText(parts.at(-1) ?? path)
}
