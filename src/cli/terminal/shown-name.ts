interface Named {
  readonly source: string
  readonly key: string
  readonly title: string
}

/** Names a conversation for people, with what "skein show" takes: its title and its key, or the key alone where both are one. */
export function shownName({ source, key, title }: Named): string {
  return title === key ? key : `${title.replace(/\s+/g, ' ')} (${source}:${key})`
}
