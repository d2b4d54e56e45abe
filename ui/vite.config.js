import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const collector = process.env.PATHLORE_SERVER ?? 'http://127.0.0.1:8080';

// One script and one sheet under fixed names: the built page is kept in the tree as text, and small changes stay small there.
export default defineConfig({
  plugins: [svelte()],
  base: '/',
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
    rollupOptions: {
      output: { entryFileNames: 'assets/app.js', assetFileNames: 'assets/app[extname]', codeSplitting: false },
    },
  },
  // A collector refuses what comes from the page of another site, and this is one.
  server: { proxy: { '/api': { target: collector, changeOrigin: true, headers: { origin: collector } } } },
});
