import type {
  ProviderError,
  ProviderEvent,
  ProviderRequest,
  ProviderStream,
} from '../../src/main/llm/chat/provider'

/** One step of a script: an event to tell, an error to throw, silence until the signal aborts, or something to do. */
export type ScriptStep = ProviderEvent | ProviderError | 'hang' | (() => void)

/**
 * A provider that plays one script per request; a request too many is an error of the test.
 *
 * Like the real one it ends quietly when the signal aborts.
 */
export function scriptedProvider(...scripts: readonly (readonly ScriptStep[])[]): {
  readonly stream: ProviderStream
  readonly requests: readonly ProviderRequest[]
} {
  const requests: ProviderRequest[] = []
  const left = [...scripts]
  return {
    requests,
    async *stream(request, signal) {
      requests.push(request)
      const script = left.shift()
      if (script === undefined) throw new Error('the script has no answer for this request')
      for (const step of script) {
        if (signal.aborted) return
        if (step === 'hang') await aborted(signal)
        else if (typeof step === 'function') step()
        else if (step instanceof Error) throw step
        else yield step
      }
    },
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
