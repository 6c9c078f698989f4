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
  return title === key ? key : `${title.replace(/\s+/g, ' ')} (${source}:${key})`
}
