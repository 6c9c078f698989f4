/**
 * Chromium's own words about a machine without a session bus or a graphics card. They are true, change nothing for
 * anybody, and hide what matters.
 */
const noise =
  /:(ERROR|WARNING):[\w/]*\b(bus|object_proxy|viz_main_impl|command_buffer_proxy_impl|gpu_process_host|gpu_memory_buffer_support_x11|gl_surface_\w+|gl_display|angle_platform_impl|vaapi_wrapper|sandbox_linux|atom_cache|cursor_loader)\.cc/

/**
 * Whether a line of Electron's stderr is worth showing.
 * @param {string} line
 */
export function isWorthShowing(line) {
  return line.trim() !== '' && !noise.test(line)
}

/**
 * Passes a stream's lines on to our stderr, without the noise.
 * @param {NodeJS.ReadableStream} stream
 */
export function showQuietly(stream) {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines.filter(isWorthShowing)) process.stderr.write(`${line}\n`)
  })
  stream.on('end', () => {
    if (isWorthShowing(rest)) process.stderr.write(`${rest}\n`)
  })
}
