import { expect, it } from 'vitest'
import { freeName } from '../../../src/renderer/composer/free-name'
import { contextNameFault } from '../../../src/shared/model/conversation/conversation'

const day = new Date(2026, 10, 8)

it('is the day, and a number where the day is taken', () => {
  expect(freeName(day, new Set())).toBe('chat-2026-11-08')
  expect(freeName(day, new Set(['chat-2026-11-08']))).toBe('chat-2026-11-08-2')
  expect(freeName(day, new Set(['chat-2026-11-08', 'chat-2026-11-08-2']))).toBe('chat-2026-11-08-3')
})

it('is always a name that a context can have', () => {
  expect(contextNameFault(freeName(day, new Set()))).toBeUndefined()
})
