import '../dist/main.js';
