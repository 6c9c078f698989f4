/** Half of pdf.js, which sets a global as it is loaded; the package declares no types for it. */
declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs'
