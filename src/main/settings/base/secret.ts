/** A secret that no log, no JSON and no error message shows by accident. */
export interface Secret {
  /** The text itself, for the one place that sends it. */
  reveal(): string
}

/** Wraps a text as a secret. */
export function secret(text: string): Secret {
  return { reveal: () => text }
}

// Below this, first and last characters would be a good part of the key.
const shortestShown = 20

/**
 * Returns what people may see of a key: the first six and the last four characters, or bullets where it has fewer
 * than 20.
 */
export function keyHint(key: Secret): string {
  const text = key.reveal()
  return text.length < shortestShown ? '••••••••' : `${text.slice(0, 6)}…${text.slice(-4)}`
}
