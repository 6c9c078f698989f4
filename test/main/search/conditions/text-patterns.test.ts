import { expect, it, vi } from 'vitest'
import { placesOfPattern } from '../../../../src/main/search/conditions/text-patterns'

it('gives each text its own places where a busy machine had the first try stopped', () => {
  const idle = { user: 0, system: 0 }
  const cpu = vi.spyOn(process, 'cpuUsage').mockReturnValueOnce(idle).mockReturnValueOnce(idle)
  try {
    const texts = ['ab', `${'a'.repeat(50_000)}!`, 'none', 'aab']
    const places = placesOfPattern({ source: '(a+)+b', flags: '' }, texts)
    expect(places).toEqual([[[0, 2]], undefined, [], [[0, 3]]])
  } finally {
    cpu.mockRestore()
  }
})
