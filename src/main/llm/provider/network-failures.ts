import { ProviderError } from '../chat/provider'
import { apiName, excerptOfResponse, type RequestTarget } from './failures'

const tlsCodes =
  /^(CERT_|ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/

/**
 * Makes the error of a request that got no response, from what fetch threw: `unreachable`, `not-an-api` or
 * `stalled`.
 */
export function unreachableError(error: unknown, asked: RequestTarget): ProviderError {
  const { host } = asked
  const { code, text } = rootOf(error)
  const response = excerptOfResponse(text, asked.scrub)
  const fail = (message: string, advice: string, transient = true) =>
    new ProviderError('unreachable', { message, advice, transient, response })

  if (tlsCodes.test(code))
    return fail(
      `No secure connection to ${host}: its certificate is not trusted, or it does not speak TLS.`,
      'Check the base URL (http or https), and this computer’s clock.',
      false,
    )
  if (code.startsWith('HPE_'))
    return new ProviderError('not-an-api', {
      message: `${host} does not speak HTTP.`,
      advice: 'Check the base URL and its port in Settings.',
      response,
    })
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT')
    return stalledError(asked)
  switch (code) {
    case 'ECONNREFUSED':
      return fail(
        `Nothing answers at ${host}.`,
        'Is the server running? Check the base URL and its port in Settings.',
      )
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return fail(
        `The address ${host} was not found.`,
        'Is this computer online? Check the base URL in Settings.',
      )
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'ENETDOWN':
      return fail(`${host} cannot be reached.`, 'Is this computer online?')
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return fail(
        `${host} did not accept the connection.`,
        'Is this computer online? A firewall or proxy may block it.',
      )
    default:
      return fail(`The connection to ${host} failed.`, 'Try again. Is this computer online?')
  }
}

/** Makes the error `cut` of a stream that ended, or whose connection broke, before the answer was whole. */
export function cutOffError(asked: RequestTarget, error?: unknown): ProviderError {
  const response = error === undefined ? '' : excerptOfResponse(rootOf(error).text, asked.scrub)
  return new ProviderError('cut', {
    message: `${asked.host} closed the stream before the answer ended.`,
    advice: 'The partial answer is kept. Try again.',
    transient: true,
    ...(response === '' ? {} : { response }),
  })
}

/** Makes the error `stalled` of a server that sent nothing for too long, in `ms` milliseconds where that is known. */
export function stalledError(asked: RequestTarget, ms?: number): ProviderError {
  const long = ms === undefined || ms < 1000 ? 'too long' : `${Math.round(ms / 1000)} s`
  return new ProviderError('stalled', {
    message: `${asked.host} sent nothing for ${long}.`,
    advice: 'Try again, or set a longer timeout in Settings, Model, Providers.',
  })
}

/** Makes the error `too-much` of an answer that exceeds the limits. */
export function tooLongAnswerError(asked: RequestTarget): ProviderError {
  return new ProviderError('too-much', {
    message: `The answer from ${asked.host} was too long and was stopped.`,
    advice: 'The partial answer is kept. Ask for less, or choose another model.',
  })
}

/**
 * Makes the error `cut` of an unreadable piece of the stream. The first piece may be half of what was sent, so it is
 * transient.
 */
export function malformedAnswerError(
  piece: string,
  asked: RequestTarget,
  isFirst = false,
): ProviderError {
  return new ProviderError('cut', {
    message: `${asked.host} sent an unreadable piece of the answer.`,
    advice: 'The partial answer is kept. Try again.',
    transient: isFirst,
    response: excerptOfResponse(piece, asked.scrub),
  })
}

/** Makes the error `not-an-api` of a 200 that is no answer: a web page, a login form, another service's JSON. */
export function notAnAnswerError(body: string, asked: RequestTarget): ProviderError {
  const response = excerptOfResponse(body, asked.scrub)
  return new ProviderError('not-an-api', {
    message: `${asked.host} does not offer a ${apiName(asked)} at this address.`,
    advice: 'Check the base URL in Settings: most end in /v1. A proxy may require a login.',
    status: 200,
    ...(response === '' ? {} : { response }),
  })
}

/** Goes down to the error that began it: fetch wraps the system's. */
function rootOf(error: unknown): { readonly code: string; readonly text: string } {
  let code = ''
  let text = ''
  let at: unknown = error
  // Bounded: a cause that points back at itself would never end.
  for (let depth = 0; depth < 8 && at instanceof Error; depth++) {
    const own = (at as { code?: unknown }).code
    if (typeof own === 'string') code = own
    if (at.message !== '') text = at.message
    at = at instanceof AggregateError ? at.errors[0] : at.cause
  }
  return { code, text: text === '' ? code : text }
}
