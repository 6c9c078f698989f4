/** Chooses the form of a word that goes with a count: "line" for one, "lines" for any other. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many
}

/** Writes a count with its noun: "1 line", "12,000 lines". In English, as the command line, documents and models read it; the window counts in its own locale. */
export function countWithNoun(count: number, one: string, many?: string): string {
  return `${count.toLocaleString('en')} ${plural(count, one, many)}`
}
