/** Files that a person opened Skein with: they wait until the page has them read. */
export interface OpenedFiles {
  receive(files: readonly string[]): void
  readonly isWaiting: boolean
  /** Takes all that wait. */
  take(): readonly string[]
  /** Has each arrival from now on told. */
  hear(came: () => void): void
}

/** Makes the place where files wait; nobody hears of them yet. */
export function openedFiles(): OpenedFiles {
  let waiting: readonly string[] = []
  let came = () => {}
  return {
    receive(files) {
      if (files.length === 0) return
      waiting = [...new Set([...waiting, ...files])]
      came()
    },
    get isWaiting() {
      return waiting.length > 0
    },
    take() {
      const files = waiting
      waiting = []
      return files
    },
    hear(tell) {
      came = tell
    },
  }
}
