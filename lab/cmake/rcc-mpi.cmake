# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
#
# The programs of a run in several ranks (RCC_MPI=ON), with OpenMPI.
find_package(MPI REQUIRED COMPONENTS CXX)
rcc_glob(mpi_sources mpi/*.cc)
rcc_unity(mpi ${mpi_sources})
add_library(rcc-mpi OBJECT ${mpi_units})
target_link_libraries(rcc-mpi PUBLIC rcc MPI::MPI_CXX)
if(NOT CMAKE_VERSION VERSION_LESS 3.16)
  target_precompile_headers(rcc-mpi REUSE_FROM rcc)
endif()
lab_main(rcc-run-ranks run/rcc-run.cc rcc-mpi)

if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/test/mpi/own-main.cc) # a main of one's own
  add_executable(own-main-ranks test/mpi/own-main.cc)
  target_link_libraries(own-main-ranks rcc rcc-mpi)
endif()
