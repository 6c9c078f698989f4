interface Named {
  readonly source: string
  readonly key: string
  readonly title: string
}

/**
 * Returns a conversation's name for people: its title with the key that "skein show" takes, or the key alone where
 * both are the same.
 */
export function shownName({ source, key, title }: Named): string {
  return oneLine(title === key ? key : `${title} (${source}:${key})`)
}

/** Writes text of a file on one line, so that it begins none of its own: runs of spaces and line ends become a space. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
