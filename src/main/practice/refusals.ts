import type { PracticeRefusal } from './request'

/** The refusals of real providers with these statuses; other statuses get a general one. */
const known: Readonly<Record<number, Omit<PracticeRefusal, 'status'>>> = {
  401: {
    message: 'Incorrect API key provided (practice: /fail 401).',
    type: 'invalid_request_error',
    code: 'invalid_api_key',
  },
  402: {
    message: 'Insufficient credits (practice: /fail 402).',
    type: 'insufficient_credits',
    code: null,
  },
  403: {
    message: 'Your input was flagged by moderation (practice: /fail 403).',
    type: 'moderation',
    code: null,
  },
  404: {
    message: 'The model does not exist, or you have no access to it (practice: /fail 404).',
    type: 'invalid_request_error',
    code: 'model_not_found',
  },
  429: {
    message: 'Rate limit reached (practice: /fail 429).',
    type: 'requests',
    code: 'rate_limit_exceeded',
    headers: { 'retry-after': '2' },
  },
}

/** Returns the refusal that `/fail` asks for. */
export function wishedRefusal(status: number): PracticeRefusal {
  const refusal = known[status]
  if (refusal !== undefined) return { status, ...refusal }
  return {
    status,
    message: `The practice model fails on request (practice: /fail ${status}).`,
    type: status >= 500 ? 'server_error' : 'invalid_request_error',
    code: null,
  }
}

/** The refusal of `/fail context`, as OpenAI's. */
export const tooLongRefusal: PracticeRefusal = {
  status: 400,
  message:
    "This model's maximum context length is 8192 tokens, but your messages resulted in more (practice: /fail context).",
  type: 'invalid_request_error',
  code: 'context_length_exceeded',
}

/** The page of a broken gateway, for `/fail html`. */
export const gatewayPage =
  '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1><p>practice: /fail html</p></body></html>\n'

/** The login page of a network, for `/fail page`. */
export const loginPage =
  '<!DOCTYPE html>\n<html><head><title>Log in</title></head><body><h1>Log in to this network</h1><p>practice: /fail page</p></body></html>\n'
